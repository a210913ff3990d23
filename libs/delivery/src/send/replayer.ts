import { Repeater } from '@detector-cluster/election/internal';
import type { TracedLetter } from '../dead-letters/dead-letter.js';
import type { LetterStore } from '../dead-letters/letter-store.js';
import type { RouterContext } from './router-context.js';
import type { OnSettled } from './written-log.js';

export type ReplayStore = Pick<LetterStore, 'requested' | 'find' | 'remove' | 'settleRequests'>;

/** Appends the letter's detection. Returns false if no process can use it. */
export type SendLetter = (letter: TracedLetter, onSettled: OnSettled) => boolean;

/** Pause while this process may not write. Milliseconds. */
const UNTIL_VALID = 200;

/** Pause after a round that failed. Milliseconds. */
const AFTER_FAILURE = 200;

/** How many letters one round reads. The number is small, because they contain whole frames. */
const BATCH = 100;

/**
 * Appends dead letters again whose replay is requested; in the master, because only it appends. A letter is removed once its log
 * has it. A master that dies in between leaves both, and the next one appends it once more, with the same detection id.
 */
export class Replayer {
  private readonly rounds: Repeater;

  constructor(
    private readonly context: RouterContext,
    private readonly store: ReplayStore,
    private readonly send: SendLetter,
  ) {
    const { clock, onEvent, signal } = context;
    this.rounds = new Repeater({
      clock,
      signal,
      held: true,
      run: async () => {
        const { isValid, options } = context;
        if (!isValid()) this.rounds.poke(UNTIL_VALID);
        else this.rounds.poke((await this.round()) ? 0 : options.lookInterval);
      },
      onError: (error) => {
        onEvent({ type: 'redis-error', error });
        this.rounds.poke(AFTER_FAILURE);
      },
    });
  }

  start(): void {
    this.rounds.start();
  }

  /** A replay may be requested. */
  soon(): void {
    this.rounds.poke();
  }

  /** Carries out the oldest requests. Returns true if there may be more. */
  private async round(): Promise<boolean> {
    const { counters, signal } = this.context;
    const ids = await this.store.requested(BATCH);
    if (ids.length === 0 || signal.aborted) return false;
    const letters = await this.store.find(ids);
    const done: string[] = ids.filter((id) => !letters.has(id));
    const replayed: string[] = [];
    const settled = [...letters].map(
      ([id, letter]) =>
        new Promise<void>((resolve) => {
          const onSettled: OnSettled = (outcome) => {
            if (outcome === 'accepted') replayed.push(id);
            resolve();
          };
          if (this.send(letter, onSettled)) return;
          done.push(id);
          resolve();
        }),
    );
    await Promise.all(settled);
    if (signal.aborted) return false;
    counters.replayed += replayed.length;
    await this.store.remove(replayed);
    await this.store.settleRequests([...done, ...replayed]);
    if (done.length + replayed.length === ids.length) return true;
    throw new Error('the log of a dead letter is full; its replay waits');
  }
}
