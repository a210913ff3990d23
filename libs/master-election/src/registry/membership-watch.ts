import type { Lease } from '@detector-cluster/election';
import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import { PROCESS_TTL_SECONDS, type Registry } from './process-registry.js';
import { FormatRise } from './format-rise.js';
import type { WrittenFormats } from './format-levels.js';
import { candidateIdOf, type ProcessEntry } from './process-entry.js';
import { PresenceTracker } from './presence-tracker.js';
import { diffMembers } from './diff-members.js';

/** How often the master reads the members. Milliseconds. */
const LOOK_INTERVAL = 500;

/** If two reads are further apart than this, the processes between them are unknown. Milliseconds. */
const MAX_GAP = LOOK_INTERVAL * 4;

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
  /** From now on the cluster writes these formats. */
  readonly onRaised: (formats: WrittenFormats) => void;
  readonly onError: (error: Error) => void;
}

/**
 * While this process is master, reports which processes join and leave, and removes dead ones from the registry. Raises the level of
 * formats when all processes understand it.
 */
export class MembershipWatch {
  private tracker = this.newTracker();
  private readonly rise: FormatRise;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: MembershipWatchOptions) {
    const { nodeId } = options;
    this.rise = new FormatRise({ nodeId, validity: PROCESS_TTL_SECONDS * 1_000, maxGap: MAX_GAP });
  }

  /** Watches until the lease is lost. First reports all existing members as joined. */
  watch(lease: Lease): void {
    this.running = this.running.then(() => this.run(lease));
  }

  /** The connection of the registry was opened again. */
  reconnected(): void {
    this.tracker.hold(performance.now() + RECONNECT_GRACE);
    this.rise.restart();
  }

  /** Resolves when the watch of the last lease has ended. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(lease: Lease): Promise<void> {
    this.tracker = this.newTracker();
    this.rise.restart();
    let members: readonly ProcessEntry[] = [];
    while (!lease.signal.aborted) {
      try {
        const next = await this.readMembers(lease);
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

  private async readMembers(lease: Lease): Promise<readonly ProcessEntry[]> {
    const { registry, nodeId } = this.options;
    const { entries } = await registry.read();
    await this.raiseFormats(lease, entries);
    const members = entries.filter((entry) => entry.nodeId !== nodeId);
    const present = await registry.present(members.map(candidateIdOf));
    const dead = new Set(
      this.tracker.observe(
        performance.now(),
        members.map((member) => ({
          key: candidateIdOf(member),
          present: present.has(candidateIdOf(member)),
          showsPresence: member.showsPresence,
        })),
      ),
    );
    // A process that registered when Redis had lost the level is refused at its next renewal.
    const { level } = registry.written;
    const isGone = (member: ProcessEntry) => dead.has(candidateIdOf(member)) || member.formatLevel < level;
    if (!members.some(isGone) || !lease.isValid()) return members;
    for (const member of members) if (isGone(member)) await registry.remove(member.nodeId, member.bootId);
    return members.filter((member) => !isGone(member));
  }

  private async raiseFormats(lease: Lease, entries: readonly ProcessEntry[]): Promise<void> {
    const { onRaised, registry } = this.options;
    const before = registry.written.level;
    const formats = this.rise.look(performance.now(), entries, before);
    if (formats === null || !lease.isValid()) return;
    await registry.raiseFormats(lease.term, formats);
    if (registry.written.level > before) onRaised(registry.written);
  }

  private newTracker(): PresenceTracker {
    return new PresenceTracker({ absence: ABSENCE, maxGap: MAX_GAP });
  }
}
