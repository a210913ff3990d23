import type { Member } from '../model/member.js';

/** Who is suspected, and until when they may refute it. */
export class Suspicions {
  private readonly deadlines = new Map<number, number>();

  /** @param patience How long a member may take to refute. Milliseconds. */
  constructor(private readonly patience: number) {}

  changed({ id, status }: Member, now: number): void {
    if (status !== 'suspect') this.deadlines.delete(id);
    else if (!this.deadlines.has(id)) this.deadlines.set(id, now + this.patience);
  }

  /** All whose time is up, once. */
  overdue(now: number): number[] {
    const ids = [...this.deadlines].filter(([, deadline]) => now >= deadline).map(([id]) => id);
    for (const id of ids) this.deadlines.delete(id);
    return ids;
  }

  /** Gives everybody more time: it was this process that did not listen. */
  postpone(by: number): void {
    for (const [id, deadline] of this.deadlines) this.deadlines.set(id, deadline + by);
  }
}
