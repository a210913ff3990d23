import type { PatchSessionMessage, PatchSessionResultCommand } from '@detector-cluster/worker-protocol';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { FencedStore } from '../fence/fenced-store.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import type { SessionPatches } from './session-patches.js';

/** Of a worker that does not come back within this time nobody waits for an answer. Milliseconds. */
const LONGEST_WAIT = 60_000;

const recordSchema = z.object({ workerUrl: z.string(), sessionId: z.int(), at: z.number() });

export interface PatchDeskOptions {
  readonly store: FencedStore;
  readonly keys: Pick<ClusterKeys, 'patches'>;
  readonly patches: SessionPatches;
  /** Sends over the worker's open connection, also while leadership is being handed over. */
  readonly reply: (worker: string, answer: PatchSessionResultCommand) => void;
}

/**
 * Where one master takes the session patches of workers. A patch is noted in Redis until it is answered, and whoever removes
 * the note answers: the master that took it, or, if the fence has shut that one out, its successor, which can only say that
 * it does not know what became of it. So a worker that is connected gets one answer, whatever happens to the master.
 */
export class PatchDesk {
  private count = 0;
  /** Worker → notes that the predecessor has left: field and session. */
  private readonly left = new Map<string, [field: string, sessionId: number][]>();

  constructor(private readonly options: PatchDeskOptions) {}

  /** Reads what the predecessor has left unanswered. */
  async load(redis: Redis): Promise<void> {
    const { keys, store } = this.options;
    this.left.clear();
    const outdated: string[] = [];
    for (const [field, text] of Object.entries(await redis.hgetall(keys.patches))) {
      const record = parse(text);
      if (record === null || Date.now() - record.at > LONGEST_WAIT) outdated.push(field);
      else {
        const { workerUrl, sessionId } = record;
        this.left.set(workerUrl, [...(this.left.get(workerUrl) ?? []), [field, sessionId]]);
      }
    }
    if (outdated.length > 0) await store.write([['HDEL', keys.patches, ...outdated]]);
  }

  /** The worker can be answered. Never rejects. */
  async connected(worker: string): Promise<void> {
    const notes = this.left.get(worker) ?? [];
    this.left.delete(worker);
    for (const [field, sessionId] of notes)
      if (await this.remove(field))
        this.options.reply(worker, {
          type: 'patchSessionResult',
          payload: { sessionId, success: false, message: 'the master has changed meanwhile: send it again' },
        });
  }

  /** Never rejects. */
  async take(worker: string, message: PatchSessionMessage): Promise<void> {
    const { store, keys, patches, reply } = this.options;
    const field = `${store.term}-${++this.count}`;
    const record = { workerUrl: worker, sessionId: message.sessionId, at: Date.now() };
    const noted = store.write([['HSET', keys.patches, field, JSON.stringify(record)]]).then(
      () => true,
      // Without the note it is answered all the same, unless this master goes first.
      () => false,
    );
    const answer = await patches.answer(worker, message);
    if (!(await noted) || (await this.remove(field))) reply(worker, answer);
  }

  /** Whether it was there, and so the answer is ours. */
  private async remove(field: string): Promise<boolean> {
    const { store, keys } = this.options;
    try {
      const [removed] = await store.write([['HDEL', keys.patches, field]]);
      return removed === 1;
    } catch {
      // Another master has taken over and answers, or Redis is away: then it may, later.
      return false;
    }
  }
}

function parse(text: string): z.infer<typeof recordSchema> | null {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
