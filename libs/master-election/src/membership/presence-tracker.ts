/** A member, as seen at one look. */
export interface MemberPresence {
  /** Unique for each start of a process. */
  readonly key: string;
  readonly present: boolean;
  /** The member itself has reported that it can be seen: then absent means dead, even for a master that has never seen it. */
  readonly showsPresence: boolean;
}

interface PresenceTrackerOptions {
  /** A member that was present and then is absent for this long is dead. Milliseconds. */
  readonly absence: number;
  /** Two looks further apart than this say nothing about the time between them. Milliseconds. */
  readonly maxGap: number;
}

/**
 * Decides from repeated looks at the present members which ones have died. A member that was never seen present, and has not
 * reported that it can be seen, is never declared dead: it may be of a kind that shows no presence.
 */
export class PresenceTracker {
  /** Member → since when it is absent; `null` while it is present. */
  private readonly seen = new Map<string, number | null>();
  private heldUntil = -Infinity;
  private lastLook = -Infinity;

  constructor(private readonly options: PresenceTrackerOptions) {}

  /** Counts no absence before `time`: the other processes are reconnecting, like the connection that looks. */
  hold(time: number): void {
    this.heldUntil = Math.max(this.heldUntil, time);
    this.forgetAbsences();
  }

  /** Records a look and returns the keys of the dead members. Returns a key at each look until it is no longer a member. */
  look(now: number, members: readonly MemberPresence[]): string[] {
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
