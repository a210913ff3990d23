import { workerName } from '../overview/workers/worker-name.js';
import { keepRange } from '../shell/router.js';
import { workerHref } from './worker-href.js';

/** The name of a worker, as a link to its page. */
export function WorkerLink({ url }: { readonly url: string }) {
  return (
    <a class="cut" href={keepRange(workerHref(url))} title={url}>
      <bdi>{workerName(url)}</bdi>
    </a>
  );
}
