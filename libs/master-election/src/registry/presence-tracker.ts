/** Presence of a member at one look. */
interface MemberPresence {
  /** Unique for each start of a process. */
  readonly key: string;
  readonly present: boolean;
  /** The member has reported its own presence: then absent means dead, even for a master that has never seen it present. */
  readonly showsPresence: boolean;
}

interface PresenceTrackerOptions {
  /** A member that is absent for this long after it was present is dead. Milliseconds. */
  readonly absence: number;
  /** If two looks are further apart than this, the time between them does not count as absence. Milliseconds. */
  readonly maxGap: number;
}

/**
 * Decides from repeated looks which members have died. A member that was never seen present and has not reported its own presence is
 * never declared dead, because some members do not show presence.
 */
export class PresenceTracker {
  /** Start of the absence of each member; `null` while it is present. */
  private readonly seen = new Map<string, number | null>();
  private heldUntil = -Infinity;
  private lastLook = -Infinity;

  constructor(private readonly options: PresenceTrackerOptions) {}

  /** Counts no absence before `time`, because the other processes are reconnecting too. */
  hold(time: number): void {
    this.heldUntil = Math.max(this.heldUntil, time);
    this.forgetAbsences();
  }

  /** Records a look and returns the keys of the dead members. Returns a key at each look until it is no longer a member. */
  observe(now: number, members: readonly MemberPresence[]): string[] {
    if (now - this.lastLook > this.options.maxGap) this.forgetAbsences();
    this.lastLook = now;
    const keys = new Set(members.map(({ key }) => key));
    for (const key of this.seen.keys()) if (!keys.has(key)) this.seen.delete(key);
    const dead: string[] = [];
    for (const { key, present, showsPresence } of members) {
      if (present) {
        this.seen.set(key, null);
        continue;
      }
      const since = this.seen.get(key) ?? (showsPresence || this.seen.has(key) ? null : undefined);
      if (since === undefined || now < this.heldUntil) continue;
      if (since === null) this.seen.set(key, now);
      else if (now - since >= this.options.absence) dead.push(key);
    }
    return dead;
  }

  private forgetAbsences(): void {
    for (const key of this.seen.keys()) this.seen.set(key, null);
  }
}
