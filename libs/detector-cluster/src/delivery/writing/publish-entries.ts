import { asError } from '../as-error.js';
import { encodeMessage } from '../message/detection-message.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import type { RouterContext } from '../router/router-context.js';
import { AppendCode, type AppendResult } from './append-entries.js';

/**
 * Publishes entries to the channel of one process, each once: what nobody heard, or may not have been heard, is counted
 * and gone. Never rejects.
 */
export async function publishEntries(
  context: RouterContext,
  processId: string,
  entries: readonly OutgoingEntry[],
): Promise<AppendResult> {
  const { counters, keys, onEvent, redis, signal } = context;
  const channel = keys.slave(processId);
  const publish = async (entry: OutgoingEntry) => (await redis.publish(channel, encodeMessage(entry))) > 0;
  const outcomes = await Promise.allSettled(entries.map(publish));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined && !signal.aborted)
    onEvent({ type: 'redis-error', error: asError(failure.reason) });
  let heard = 0;
  for (const [i, outcome] of outcomes.entries()) {
    const accepted = outcome.status === 'fulfilled' && outcome.value;
    if (accepted) heard++;
    entries[i]!.trace?.end(accepted ? 'accepted' : 'unheard');
  }
  counters.unheard += entries.length - heard;
  return {
    code: AppendCode.done,
    accepted: heard,
    unheard: entries.length - heard,
    present: 0,
    backlogEntries: 0,
    backlogBytes: 0,
    droppedEver: 0,
  };
}
