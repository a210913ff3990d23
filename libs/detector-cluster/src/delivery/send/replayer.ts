import { toError, Waker } from '@detector-cluster/election/util';
import type { TracedLetter } from '../dead-letters/dead-letter.js';
import type { RouterContext } from './router-context.js';

export interface ReplayStore {
  /** Letters whose replay is requested, in the order of the requests. */
  requested(limit: number): Promise<string[]>;
  find(letterIds: readonly string[]): Promise<ReadonlyMap<string, TracedLetter>>;
  remove(letterIds: readonly string[]): Promise<unknown>;
  /** The requests have been dealt with. */
  settleRequests(letterIds: readonly string[]): Promise<void>;
}

export interface ReplayHooks {
  /** Appends the letter's detection; returns false where no process can use it. */
  readonly send: (letter: TracedLetter, onSettled: (accepted: boolean) => void) => boolean;
}

/** Letters of one round: they carry whole frames. */
const BATCH = 100;

/** Pause after a round in which a log was full or Redis failed. Milliseconds. */
const LOOK_AGAIN = 200;

/**
 * Appends dead letters again whose replay is requested; in the master, because only it appends. A letter is removed once its log
 * has it. A master that dies in between leaves both, and the next one appends it once more, with the same detection id.
 */
export class Replayer {
  private readonly waker: Waker;
  private running = false;

  constructor(
    private readonly context: RouterContext,
    private readonly store: ReplayStore,
    private readonly hooks: ReplayHooks,
  ) {
    this.waker = new Waker(context.clock);
  }

  /** Looks for requests; calls during a look cause one more. */
  soon(): void {
    this.waker.wake();
    if (this.running || this.context.signal.aborted) return;
    this.running = true;
    void this.run();
  }

  private async run(): Promise<void> {
    const { onEvent, signal } = this.context;
    while (!signal.aborted) {
      let wait = Infinity;
      try {
        while (await this.round());
      } catch (error) {
        if (signal.aborted) return;
        onEvent({ type: 'redis-error', error: toError(error) });
        wait = LOOK_AGAIN;
      }
      await this.waker.sleep(Math.min(wait, 2 ** 30), signal);
    }
  }

  /** Deals with the oldest requests; true when there may be more. */
  private async round(): Promise<boolean> {
    const { counters, isValid, signal } = this.context;
    if (!isValid()) throw new Error('this process may not write at this moment');
    const ids = await this.store.requested(BATCH);
    if (ids.length === 0 || signal.aborted) return false;
    const letters = await this.store.find(ids);
    const done: string[] = ids.filter((id) => !letters.has(id));
    const replayed: string[] = [];
    await Promise.all(
      [...letters].map(
        ([id, letter]) =>
          new Promise<void>((resolve) => {
            const onSettled = (accepted: boolean) => {
              if (accepted) replayed.push(id);
              resolve();
            };
            if (this.hooks.send(letter, onSettled)) return;
            done.push(id);
            resolve();
          }),
      ),
    );
    if (signal.aborted) return false;
    counters.replayed += replayed.length;
    await this.store.remove(replayed);
    await this.store.settleRequests([...done, ...replayed]);
    if (done.length + replayed.length === ids.length) return true;
    throw new Error('the log of a dead letter is full; its replay waits');
  }
}
