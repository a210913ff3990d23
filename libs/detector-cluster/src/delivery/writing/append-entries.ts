import { RedisScript } from '@detector-cluster/election/redis';
import { DELIVERY_GROUP } from '../delivery-defaults.js';
import { encodeMessage } from '../message/detection-message.js';
import { append } from '../scripts/scripts.generated.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import type { RouterContext } from '../router/router-context.js';

/** First element of the reply of `append.lua`. */
export const AppendCode = { done: 1, noStream: -1, deposed: -2 } as const;

export interface AppendResult {
  readonly code: number;
  /** How many of the entries, from the first, are in the stream. */
  readonly accepted: number;
  readonly present: number;
  /** Entries that were sent and reached nobody. */
  readonly unheard: number;
  readonly backlogEntries: number;
  readonly backlogBytes: number;
  /** Entries ever dropped for this process. */
  readonly droppedEver: number;
}

const script = new RedisScript<[number, number, number, number, number, number]>(append);

/** One call of `append.lua`. Rejects when it is not known whether the entries were appended. */
export async function appendEntries(
  context: RouterContext,
  processId: string,
  entries: readonly OutgoingEntry[],
): Promise<AppendResult> {
  const { redis, keys, term, options } = context;
  const args: (string | number)[] = [
    term,
    DELIVERY_GROUP,
    processId,
    options.maxBacklogEntries,
    options.maxBacklogBytes,
    options.overflow === 'drop-oldest' ? 1 : 0,
  ];
  for (const entry of entries) args.push(entry.sequence, encodeMessage(entry), entry.redelivered ? '1' : '');
  const [code, accepted, present, backlogEntries, backlogBytes, droppedEver] = await script.run(
    redis,
    [keys.slave(processId), keys.dropped],
    args,
  );
  return { code, accepted, present, unheard: 0, backlogEntries, backlogBytes, droppedEver };
}
