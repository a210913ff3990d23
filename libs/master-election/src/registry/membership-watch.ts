import type { Lease } from '@detector-cluster/election';
import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import type { Registry } from '../cluster/cluster.js';
import { candidateIdOf, type ProcessEntry } from './process-entry.js';

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

/** One start of a process. */
interface Member {
  readonly nodeId: string;
  readonly bootId: string;
}

/** Differences between two reads of the members. A process that restarted under its old id counts as left and joined. */
interface MembershipChange<M extends Member> {
  readonly joined: readonly M[];
  readonly left: readonly M[];
}

export function diffMembers<M extends Member>(
  before: readonly M[],
  after: readonly M[],
): MembershipChange<M> {
  const boots = (members: readonly M[]) => new Map(members.map(({ nodeId, bootId }) => [nodeId, bootId]));
  const [then, now] = [boots(before), boots(after)];
  return {
    joined: after.filter(({ nodeId, bootId }) => then.get(nodeId) !== bootId),
    left: before.filter(({ nodeId, bootId }) => now.get(nodeId) !== bootId),
  };
}

/** How often the master reads the members. Milliseconds. */
const LOOK_INTERVAL = 500;

/** A process that was present and is absent for this long is dead. Milliseconds. */
const ABSENCE = 3_000;

/** After the connection of the master reconnects, other processes have this long to reconnect theirs. Milliseconds. */
const RECONNECT_GRACE = 2_000;

interface MembershipWatchOptions {
  readonly registry: Registry;
  /** Milliseconds; default 500. */
  readonly lookInterval?: number;
  /** The master itself; it is not one of the members. */
  readonly nodeId: string;
  readonly onJoined: (entry: ProcessEntry) => void;
  readonly onLeft: (nodeId: string) => void;
  readonly onError: (error: Error) => void;
}

/** While this process is master, reports which processes join and leave, and removes dead ones from the registry. */
export class MembershipWatch {
  private tracker = this.newTracker();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: MembershipWatchOptions) {}

  /** Watches until the lease is lost. First reports all existing members as joined. */
  watch(lease: Lease): void {
    this.running = this.running.then(() => this.run(lease));
  }

  /** The connection of the registry was opened again. */
  reconnected(): void {
    this.tracker.hold(performance.now() + RECONNECT_GRACE);
  }

  /** Resolves when the watch of the last lease has ended. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(lease: Lease): Promise<void> {
    this.tracker = this.newTracker();
    let members: readonly ProcessEntry[] = [];
    while (!lease.signal.aborted) {
      try {
        const next = await this.look(lease);
        if (lease.signal.aborted) return;
        const { joined, left } = diffMembers(members, next);
        members = next;
        for (const { nodeId } of left) this.options.onLeft(nodeId);
        for (const entry of joined) this.options.onJoined(entry);
      } catch (error) {
        if (!lease.signal.aborted) this.options.onError(error as Error);
      }
      await pause(this.options.lookInterval ?? LOOK_INTERVAL, systemClock, lease.signal);
    }
  }

  private async look(lease: Lease): Promise<readonly ProcessEntry[]> {
    const { registry, nodeId } = this.options;
    const { entries } = await registry.read();
    const members = entries.filter((entry) => entry.nodeId !== nodeId);
    const present = await registry.present(members.map(candidateIdOf));
    const dead = new Set(
      this.tracker.look(
        performance.now(),
        members.map((member) => ({
          key: candidateIdOf(member),
          present: present.has(candidateIdOf(member)),
          showsPresence: member.showsPresence,
        })),
      ),
    );
    if (dead.size === 0 || !lease.isValid()) return members;
    for (const member of members)
      if (dead.has(candidateIdOf(member))) await registry.remove(member.nodeId, member.bootId);
    return members.filter((member) => !dead.has(candidateIdOf(member)));
  }

  private newTracker(): PresenceTracker {
    return new PresenceTracker({ absence: ABSENCE, maxGap: LOOK_INTERVAL * 4 });
  }
}
