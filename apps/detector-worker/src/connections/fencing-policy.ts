/** The verdict on a command. `refused` and `stale` commands both come from a master that was replaced. */
export type CommandVerdict = 'current' | 'stale' | 'refused';

/**
 * Which masters may command this worker.
 *
 * Enforcing: the highest term ever seen rules; connections and commands of lower terms are refused, and so are those
 * of masters that send no term once one did. Not enforcing: every master may command, as with a worker that does not
 * support terms, but commands of lower terms are counted separately.
 */
export class FencingPolicy {
  #highestTerm = 0;

  constructor(readonly enforcing: boolean) {}

  /** 0 before any master with a term has connected. */
  get highestTerm(): number {
    return this.#highestTerm;
  }

  admits(term: number): boolean {
    return !this.enforcing || term >= this.#highestTerm;
  }

  /** Called once a connection is established; lower terms change nothing. */
  observe(term: number): void {
    this.#highestTerm = Math.max(this.#highestTerm, term);
  }

  judge(term: number): CommandVerdict {
    if (term >= this.#highestTerm) return 'current';
    return this.enforcing ? 'refused' : 'stale';
  }
}

/**
 * Term of an upgrade request's header: 0 when it is missing (a master that knows no terms), null when it is not a
 * decimal integer that a number holds exactly.
 */
export function parseTerm(header: string | readonly string[] | undefined): number | null {
  if (header === undefined) return 0;
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return null;
  const term = Number(header);
  return Number.isSafeInteger(term) ? term : null;
}
