import type { TracedLetter } from '../dead-letters/dead-letter.js';
import type { LetterStore } from '../dead-letters/letter-store.js';
import { PassLoop } from '../log/loops.js';
import type { RouterContext } from './router-context.js';
import type { OnSettled } from './written-log.js';

export type ReplayStore = Pick<LetterStore, 'requested' | 'find' | 'remove' | 'settleRequests'>;

/** Appends the letter's detection. Returns false if no process can use it. */
export type SendLetter = (letter: TracedLetter, onSettled: OnSettled) => boolean;

/** Pause while this process may not write. Milliseconds. */
const UNTIL_VALID = 200;

/** How many letters one round reads. The number is small, because they contain whole frames. */
const BATCH = 100;

/**
 * Appends dead letters again whose replay is requested; in the master, because only it appends. A letter is removed once its log
 * has it. A master that dies in between leaves both, and the next one appends it once more, with the same detection id.
 */
export class Replayer extends PassLoop<RouterContext> {
  constructor(
    context: RouterContext,
    private readonly store: ReplayStore,
    private readonly send: SendLetter,
  ) {
    super(context);
  }

  protected override async pass(): Promise<number> {
    const { isValid, options } = this.context;
    while (isValid()) if (!(await this.round())) return options.lookInterval;
    return UNTIL_VALID;
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
          const onSettled = (accepted: boolean) => {
            if (accepted) replayed.push(id);
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
