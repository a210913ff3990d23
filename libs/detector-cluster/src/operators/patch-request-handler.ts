import { FencedError, type FencedStore } from '@detector-cluster/election/fence';
import { Repeater, UnreadableFields } from '@detector-cluster/election/internal';
import type { PatchSessionMessage, PatchSessionResultCommand } from '@detector-cluster/worker-protocol';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { ListedTimer } from '../shared/cluster-timers.js';
import { readJson } from '../shared/read-json.js';
import type { SessionPatches } from './session-patches.js';

/** A worker that does not return within this time gets no answer. Milliseconds. */
const MAX_WAIT = 60_000;

/** How often a master looks for patches left by others. Milliseconds. */
const LOOK_EVERY = 500;

const noteSchema = z.object({
  workerUrl: z.string(),
  sessionId: z.int(),
  at: z.number(),
  /** The master that took the patch will not answer. */
  left: z.boolean().optional(),
});
type Note = z.infer<typeof noteSchema>;

export interface PatchRequestHandlerOptions {
  readonly redis: Redis;
  readonly store: FencedStore;
  readonly keys: Pick<ClusterKeys, 'patches'>;
  readonly patches: SessionPatches;
  readonly timer: Pick<ListedTimer, 'repeat'>;
  /** Whether the connection to a worker is open. */
  readonly isOpen: (worker: string) => boolean;
  /** Sends over the worker's open connection, also while leadership is being handed over. Returns whether it was open. */
  readonly reply: (worker: string, answer: PatchSessionResultCommand) => boolean;
}

/**
 * Takes the session patches of workers for one master. Redis keeps a note of each patch until it is answered, and the master
 * that removes the note answers. If the fence has shut out the master that took the patch, or its connection is closed, that
 * is the master that the worker is connected to then; it can only answer that the outcome is unknown. So a connected worker
 * gets one answer to each patch that a master has read, whatever happens to that master.
 */
export class PatchRequestHandler {
  private count = 0;
  private cancel = () => {};
  private readonly noting = new Set<Promise<unknown>>();
  /** Answered, but a note may still exist. */
  private readonly answered = new Set<string>();
  private readonly looks = new Repeater({ run: () => this.answerLeft() });
  private readonly unreadable: UnreadableFields;

  constructor(private readonly options: PatchRequestHandlerOptions) {
    const { keys, store } = options;
    this.unreadable = new UnreadableFields(keys.patches, (message) => store.foreign(message));
  }

  /** Begins to look for patches that others have left. */
  start(): void {
    this.cancel = this.options.timer.repeat(() => this.looks.poke(), LOOK_EVERY);
  }

  /** Leaves what others have left to the successor. */
  stop(): void {
    this.cancel();
  }

  /** Resolves when every patch taken has a note, from which the successor can answer it. */
  async noted(): Promise<void> {
    await Promise.all(this.noting);
  }

  /** A worker can be answered. Never rejects. */
  async connected(): Promise<void> {
    await this.looks.next();
  }

  /** Never rejects. */
  async take(worker: string, message: PatchSessionMessage): Promise<void> {
    const { store, patches } = this.options;
    const field = `${store.term}-${++this.count}`;
    const note = { workerUrl: worker, sessionId: message.sessionId, at: Date.now() };
    const noting = this.note(field, note);
    const answer = await patches.answer(worker, message);
    const kept = await noting;
    if (kept === 'left' || (kept === 'ours' && !(await this.remove(field)))) return;
    if (kept === 'none') this.answered.add(field);
    await this.reply(field, note, answer);
  }

  /** Answers the patches that their masters will not answer. Never rejects: failures are retried at the next look. */
  private async answerLeft(): Promise<void> {
    const { isOpen, keys, redis, store } = this.options;
    const [done, unreadable]: [string[], string[]] = [[], []];
    try {
      const notes = new Map(Object.entries(await redis.hgetall(keys.patches)));
      for (const field of this.answered) if (!notes.has(field)) this.answered.delete(field);
      for (const [field, text] of notes) {
        const note = readJson(noteSchema, text);
        if (note === null) unreadable.push(field);
        if (note === null || this.answered.has(field) || Date.now() - note.at > MAX_WAIT) done.push(field);
        else if (this.isLeft(field, note) && isOpen(note.workerUrl)) await this.answerUnknown(field, note);
      }
      this.unreadable.note(unreadable);
      if (done.length > 0) await store.write([['HDEL', keys.patches, ...done]]);
      for (const field of done) this.answered.delete(field);
    } catch {
      // Redis is unavailable, or another master looks.
    }
  }

  private isLeft(field: string, note: Note): boolean {
    return note.left === true || !field.startsWith(`${this.options.store.term}-`);
  }

  /** The only possible answer to a patch that another connection or another master took. */
  private async answerUnknown(field: string, note: Note): Promise<void> {
    if (!(await this.remove(field))) return;
    const message = 'the connection was lost or the master has changed in the meantime: send it again';
    const payload = { sessionId: note.sessionId, success: false, message };
    await this.reply(field, note, { type: 'patchSessionResult', payload });
  }

  private async reply(field: string, note: Note, answer: PatchSessionResultCommand): Promise<void> {
    if (!this.options.reply(note.workerUrl, answer)) await this.leave(field, note);
  }

  /**
   * @returns `left` if the fence has shut this master out, so that the note is for its successor; `none` if Redis has not
   * confirmed the note, and this master still answers unless it stops first
   */
  private async note(field: string, note: Note): Promise<'ours' | 'left' | 'none'> {
    const { keys, store } = this.options;
    const write = async () => {
      try {
        await store.write([['HSET', keys.patches, field, JSON.stringify(note)]]);
        return 'ours';
      } catch (error) {
        return error instanceof FencedError && (await this.leave(field, note)) ? 'left' : 'none';
      }
    };
    const noting = write();
    this.noting.add(noting);
    return await noting.finally(() => this.noting.delete(noting));
  }

  /** Bypasses the fence, which protects decisions of masters: the master that removes the note answers, in any term. */
  private async leave(field: string, note: Note): Promise<boolean> {
    const { keys, redis } = this.options;
    try {
      await redis.hset(keys.patches, field, JSON.stringify({ ...note, left: true }));
      return true;
    } catch {
      return false;
    }
  }

  /** Whether this master answers: it removed the note, or Redis does not say and no other master might answer. */
  private async remove(field: string): Promise<boolean> {
    const { store, keys } = this.options;
    try {
      const [removed] = await store.write([['HDEL', keys.patches, field]]);
      return removed === 1;
    } catch (error) {
      if (error instanceof FencedError) return false;
      this.answered.add(field);
      return true;
    }
  }
}
