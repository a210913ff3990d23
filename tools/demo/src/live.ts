import type { LocalCluster } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { Observer } from './observer.js';
import { render } from './view.js';

const REFRESH = 500;
const PLAIN_SUMMARY_EVERY = 10;

/** Shows the cluster until `signal` aborts: redrawn in place on a terminal, plain lines elsewhere. */
export async function showLive(
  cluster: LocalCluster,
  out: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<void> {
  const observer = new Observer(cluster, (event) => {
    if (!out.isTTY) out.write(`${event}\n`);
  });
  for (let n = 0; !signal.aborted; n++) {
    const snapshot = await observer.look();
    if (signal.aborted) return;
    if (out.isTTY) out.write(`\u001b[H\u001b[J${render(snapshot).join('\n')}\n`);
    else if (n > 0 && n % PLAIN_SUMMARY_EVERY === 0) out.write(`${summary(render(snapshot))}\n`);
    await sleep(REFRESH, undefined, { signal }).catch(() => undefined);
  }
}

/** The figures of a picture in one line. */
function summary(lines: readonly string[]): string {
  return lines
    .filter((line) => /^(master|subscriptions|detections) /.test(line))
    .map((line) => line.replace(/\s{2,}/g, ' '))
    .join(' | ');
}
