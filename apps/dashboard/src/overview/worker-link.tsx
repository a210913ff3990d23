import { workerName, workerHref } from './workers.js';
import { keepRange } from '../shell/router.js';
import { TextLink } from '../ui/text.js';

/** The name of a worker, as a link to its page. */
export function WorkerLink({ url }: { readonly url: string }) {
  return <TextLink href={keepRange(workerHref(url))} value={workerName(url)} title={url} />;
}
