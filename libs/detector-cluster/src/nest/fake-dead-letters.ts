import type { DeadLetter } from '@detector-cluster/delivery';
import type { DeadLetterPage, ReplayResult, DropResult } from '../operators/dead-letters.js';

/** Dead letters in memory, oldest first. */
export class FakeDeadLetters {
  private readonly letters = new Map<string, DeadLetter>();

  /** @param redeliver delivers a letter again; it becomes a new letter when it fails again */
  constructor(private readonly redeliver: (letter: DeadLetter) => Promise<unknown>) {}

  add(letter: DeadLetter): void {
    this.letters.set(letter.letterId, letter);
  }

  async list({ after, limit = 100, newestFirst = false, matches = () => true }: DeadLetterPage = {}): Promise<
    DeadLetter[]
  > {
    const all = [...this.letters.values()];
    if (newestFirst) all.reverse();
    const from = after === undefined ? 0 : all.findIndex(({ letterId }) => letterId === after) + 1;
    return all.slice(from).filter(matches).slice(0, limit);
  }

  async replay(ids: readonly string[] | 'all'): Promise<ReplayResult> {
    const { found, gone } = this.take(ids);
    for (const letter of found) await this.redeliver(letter);
    return { replayed: found.length, left: [], gone };
  }

  async drop(ids: readonly string[] | 'all'): Promise<DropResult> {
    const { found, gone } = this.take(ids);
    return { dropped: found.length, left: [], gone };
  }

  private take(ids: readonly string[] | 'all') {
    const wanted = ids === 'all' ? [...this.letters.keys()] : ids;
    const found = wanted.flatMap((id) => this.letters.get(id) ?? []);
    const gone = wanted.filter((id) => !this.letters.has(id));
    for (const { letterId } of found) this.letters.delete(letterId);
    return { found, gone };
  }
}
