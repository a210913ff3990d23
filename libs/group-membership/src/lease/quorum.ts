/**
 * Tracks whether a leader is in contact with a majority of the last known members.
 *
 * A failed member still counts until a majority has answered after its failure. So a minority cannot declare itself the whole group,
 * and members that fail one after the other do not end leadership.
 */
export class Quorum {
  private readonly answered = new Map<number, number>();
  private readonly leaving = new Map<number, number>();
  private readonly ids: Set<number>;

  /** @param self Always answers itself. */
  constructor(
    private readonly self: number,
    voters: Iterable<number>,
  ) {
    this.ids = new Set(voters).add(self);
  }

  /** The ids that a majority is counted from. */
  get voters(): number[] {
    return [...this.ids];
  }

  /** The member joined; it was last heard from at this time. */
  joined(id: number, now: number): void {
    if (this.ids.has(id)) return;
    this.ids.add(id);
    this.answered.set(id, Math.max(this.answered.get(id) ?? -Infinity, now));
  }

  /** The member departed. */
  departed(id: number): void {
    this.ids.delete(id);
  }

  /** The member is considered dead since `now`. */
  failed(id: number, now: number): void {
    if (this.ids.has(id) && !this.leaving.has(id)) this.leaving.set(id, now);
  }

  /** The member answered a message sent at `sentAt`. Returns whether the voters have changed. */
  heard(id: number, sentAt: number): boolean {
    this.answered.set(id, Math.max(this.answered.get(id) ?? -Infinity, sentAt));
    return this.settle();
  }

  /** A majority answered messages sent at this time or later; `now` when this member alone is a majority. */
  confirmedAt(now: number): number {
    const times = new Float64Array(this.ids.size);
    let voters = 0;
    for (const id of this.ids)
      times[voters++] = id === this.self ? now : (this.answered.get(id) ?? -Infinity);
    return times.sort()[Math.ceil(voters / 2) - 1]!;
  }

  private settle(): boolean {
    if (this.leaving.size === 0) return false;
    const before = this.ids.size;
    let confirmed = this.confirmedAt(Infinity);
    for (const [id, since] of this.leaving) {
      if (confirmed < since) continue;
      this.ids.delete(id);
      this.leaving.delete(id);
      confirmed = this.confirmedAt(Infinity);
    }
    return this.ids.size !== before;
  }
}
