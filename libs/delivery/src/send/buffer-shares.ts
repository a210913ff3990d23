import type { OutgoingEntry, WrittenLog } from './written-log.js';

interface Share {
  entries: number;
  bytes: number;
  /** How many of its entries are in each log. */
  readonly logs: Map<WrittenLog, number>;
}

/** How much of the buffer the entries of each worker take, so that a full buffer costs the worker that fills it. */
export class BufferShares {
  private readonly shares = new Map<string, Share>();

  add(log: WrittenLog, { bytes, detection }: OutgoingEntry): void {
    const { workerUrl } = detection;
    let share = this.shares.get(workerUrl);
    if (share === undefined) this.shares.set(workerUrl, (share = { entries: 0, bytes: 0, logs: new Map() }));
    share.entries++;
    share.bytes += bytes;
    share.logs.set(log, (share.logs.get(log) ?? 0) + 1);
  }

  remove(log: WrittenLog, { bytes, detection }: OutgoingEntry): void {
    const { workerUrl } = detection;
    const share = this.shares.get(workerUrl);
    if (share === undefined) return;
    share.entries--;
    share.bytes -= bytes;
    const left = share.logs.get(log)! - 1;
    if (left > 0) share.logs.set(log, left);
    else share.logs.delete(log);
    if (share.entries === 0) this.shares.delete(workerUrl);
  }

  /** The worker with the largest share, and its logs, those with most of its entries first. */
  largest(by: 'entries' | 'bytes'): { readonly worker: string; readonly logs: readonly WrittenLog[] } {
    let found: readonly [string, Share] | undefined;
    for (const each of this.shares) if (found === undefined || each[1][by] > found[1][by]) found = each;
    if (found === undefined) return { worker: '', logs: [] };
    const [worker, { logs }] = found;
    return { worker, logs: [...logs].sort(([, a], [, b]) => b - a).map(([log]) => log) };
  }
}
