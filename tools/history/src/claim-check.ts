import type { Claim } from './history-line.js';

/** Judges the answers of processes that are asked in turn, again and again, whether they are master. */
export class ClaimCheck {
  /** How often a process called itself master between two answers of another one that did so as well. */
  rivals = 0;
  /** How often a process became master after another one, or again. */
  changes = -1;
  /** Terms of masters that were not higher than that of an earlier one. */
  termsBack = 0;
  private term = 0;
  /** Masters by their last answer, with those that have said so since. */
  private readonly masters = new Map<string, Set<string>>();

  /** The only process that calls itself master. */
  get master(): string | null {
    const [master = null, ...others] = this.masters.keys();
    return others.length === 0 ? master : null;
  }

  note({ process, term }: Pick<Claim, 'process' | 'term'>): void {
    const rivals = this.masters.get(process);
    this.masters.delete(process);
    if (term === null) return;
    if (term !== this.term) this.changes++;
    if (term < this.term) this.termsBack++;
    this.term = term;
    this.rivals += rivals?.size ?? 0;
    for (const since of this.masters.values()) since.add(process);
    this.masters.set(process, new Set());
  }
}
