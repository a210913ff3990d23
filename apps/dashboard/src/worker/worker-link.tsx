import { workerName } from '../overview/workers/worker-name.js';
import { keepRange } from '../shell/router.js';
import { TextLink } from '../ui/text-link.js';
import { workerHref } from './worker-href.js';

/** The name of a worker, as a link to its page. */
export function WorkerLink({ url }: { readonly url: string }) {
  return <TextLink href={keepRange(workerHref(url))} value={workerName(url)} title={url} />;
}
