import type { History } from '@detector-cluster/history';
import { until } from './until.js';

/** After this many accepted detections, the cluster counts as working again. */
const GOING_ON = 200;
/** While detections are pending, deliveries pause for less than this. Milliseconds. */
const QUIET = 30_000;

/**
 * Resolves when enough detections have been accepted and as many callbacks have started since the call.
 * @param isOver whether to wait no longer, because a promise has broken; default: never
 */
export async function goesOn(
  history: History,
  signal: AbortSignal,
  isOver: () => Promise<boolean> | boolean = () => false,
): Promise<void> {
  history.read();
  const accepted = history.accepted.size + GOING_ON;
  const deliveries = history.deliveries.length + GOING_ON;
  await until(signal, 'detections to be accepted and delivered', async () => {
    history.read();
    return (history.accepted.size >= accepted && history.deliveries.length >= deliveries) || (await isOver());
  });
}

/**
 * Resolves when nothing is lost by the verdict, or when deliveries have ended although something is.
 * @param pending how many detections Redis still has; default: not known
 */
export async function untilDelivered(
  history: History,
  verdict: () => { readonly lost: number },
  signal: AbortSignal,
  pending: () => Promise<number> = async () => Number.NaN,
): Promise<void> {
  history.read();
  for (let before = -1; before !== history.deliveries.length && verdict().lost > 0;) {
    before = history.deliveries.length;
    await until(
      signal,
      'more deliveries',
      async () => {
        const isEmpty = (await pending()) === 0;
        history.read();
        return isEmpty || history.deliveries.length > before;
      },
      QUIET,
    ).catch(() => signal.throwIfAborted());
  }
}
