import type { Member } from '../model/member.js';

/** The suspected members, and until when each may refute the suspicion. */
export class Suspicions {
  private readonly deadlines = new Map<number, number>();

  /** @param timeout How long a member may take to refute. Milliseconds. */
  constructor(private readonly timeout: number) {}

  changed({ id, status }: Member, now: number): void {
    if (status !== 'suspect') this.deadlines.delete(id);
    else if (!this.deadlines.has(id)) this.deadlines.set(id, now + this.timeout);
  }

  /** Returns the members whose time is up, each once. */
  overdue(now: number): number[] {
    const ids = [...this.deadlines].filter(([, deadline]) => now >= deadline).map(([id]) => id);
    for (const id of ids) this.deadlines.delete(id);
    return ids;
  }

  /** Gives all suspects more time, because this process was not listening. */
  postpone(by: number): void {
    for (const [id, deadline] of this.deadlines) this.deadlines.set(id, deadline + by);
  }
}
