import { type ProcessRow, type Rows, TICK } from '@detector-cluster/dashboard-protocol';
import type { Pulse } from './pulse.schema.js';

/** A process that was silent for this long is considered dead. Milliseconds. */
const SILENCE = 5_000;

/** Every process has reported within this time. Milliseconds. */
const ROUND = 2 * TICK;

interface Entry {
  readonly process: Pulse['process'];
  readonly heardAt: number;
}

/** The processes of the cluster, as they last reported themselves. Times are monotonic, in milliseconds. */
export class PulseBoard {
  private readonly entries = new Map<string, Entry>();
  private shown: Rows<ProcessRow> | null = null;

  hear({ process, leaving }: Pulse, now: number): void {
    if (leaving) this.entries.delete(process.processId);
    else this.entries.set(process.processId, { process, heardAt: now });
  }

  /**
   * Empty until every process can have reported: some of them are not the cluster. While no pulses can be received, all rows stay as
   * they are, also that of this process: figures of one moment belong together.
   * @param listeningSince since when pulses can be received; null while they cannot
   * @param owned node id → partitions that it owns
   */
  rows(
    now: number,
    listeningSince: number | null,
    owned: ReadonlyMap<string, readonly number[]>,
  ): Rows<ProcessRow> {
    if (listeningSince === null) return this.shown ?? {};
    if (this.shown === null && now - listeningSince < ROUND) return {};
    this.forget(now, listeningSince);
    const all = [...this.entries.values()];
    const highest = Math.max(0, ...all.map(({ process }) => process.term));
    const rows = Object.create(null) as Record<string, ProcessRow>;
    for (const { process, heardAt } of all) {
      const row = { ...process, partitions: owned.get(process.processId) ?? [] };
      // A killed or frozen master cannot report that its term is over. The term of another master shows it, and after an outage
      // of Redis it must report again.
      const isOver = process.term < highest || heardAt < listeningSince;
      rows[process.processId] = isOver ? { ...row, role: 'follower', mayAct: false, leaseAgeMs: null } : row;
    }
    this.shown = rows;
    return rows;
  }

  private forget(now: number, listeningSince: number): void {
    for (const [processId, { heardAt }] of this.entries)
      if (now - Math.max(heardAt, listeningSince) > SILENCE) this.entries.delete(processId);
  }
}
