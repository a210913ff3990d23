import { processorWait } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkersCalls } from '../cluster/workers.child.js';
import type { ChildCalls } from '../support/child-calls.js';
import { sum } from '../support/percentile.js';
import { countReceipts } from './delivery-figures.js';
import type { SinkCalls } from './detection-sink.js';
import type { Sent } from './load-source.js';
import { isListenedTo, WINDOW } from './workload.js';

/** If nothing arrives for this time, the missing detections are lost. Milliseconds. */
const TIMEOUT = 5_000;
const POLL = 50;

/** Processor time per detection. Microseconds. */
export interface CpuCost {
  /** The process that writes to Redis: the master, or the writer of a bare loop. */
  readonly writer: number;
  /** All processes that read. */
  readonly readers: number;
  readonly redis: number;
}

/** The result of one phase. */
export interface Phase {
  readonly perSecond: number;
  readonly cpuUs: CpuCost;
  /** Processor time of the process that sends the frames. Microseconds per detection. */
  readonly senderCpuUs: number;
  /** Part of the time during which the sender waited for a full window. */
  readonly heldUp: number;
  readonly lagP99: number;
  /** From the instant at which each detection was due to the start of its callback; empty in a flood. Milliseconds. */
  readonly latencies: readonly number[];
  readonly lost: number;
  readonly duplicates: number;
  /** How long the main threads of all processes were ready to run without a processor; null if the system does not count it. */
  readonly waitedMs: number | null;
}

/** The processes of one path. */
export interface PathParts {
  /** Sends the frames. */
  readonly source: ChildCalls<WorkersCalls>;
  /** Writes to Redis. */
  readonly writer: ChildCalls<{ cpu(): number }>;
  /** All processes with callbacks. */
  readonly sinks: readonly ChildCalls<SinkCalls & { cpu(): number }>[];
  /** The sinks that count as readers. */
  readonly readers: PathParts['sinks'];
  /** Whether readers also have listeners for single subscriptions, besides the global one. */
  readonly hasCopies: boolean;
  readonly redisCpu: () => Promise<number>;
}

/** One path from frames to callbacks. Sends detections through it in phases, one phase at a time. */
export class DeliveryPath {
  private next = 0;

  constructor(private readonly parts: PathParts) {}

  /** Sends at a steady rate for `duration` milliseconds. */
  steady(perSecond: number, duration: number): Promise<Phase> {
    return this.phase(true, () => this.parts.source.call('steady', this.next, perSecond, duration));
  }

  /** Sends as much as the path accepts for `duration` milliseconds. */
  flood(duration: number): Promise<Phase> {
    return this.phase(false, () => this.parts.source.call('flood', this.next, WINDOW, duration));
  }

  private async phase(timed: boolean, send: () => Promise<Sent>): Promise<Phase> {
    const { sinks } = this.parts;
    await Promise.all(sinks.map((sink) => sink.call('begin', timed)));
    this.passOnProgress();
    const before = await this.usage();
    const sent = await send();
    await this.untilTaken(sent.count);
    const after = await this.usage();
    const received = await Promise.all(sinks.map((sink) => sink.call('received')));
    const all = countReceipts(
      received.map((each) => each.all),
      this.next,
      sent.count,
    );
    const copies = this.parts.readers.map((reader, consumer) =>
      countReceipts([received[sinks.indexOf(reader)]!.copies], this.next, sent.count, (n) =>
        this.isCopied(consumer, n),
      ),
    );
    this.next += sent.count;
    const taken = Math.max(1, sent.count - all.lost);
    const lastAt = Math.max(...received.map((each) => each.lastAt));
    const each = (key: 'writer' | 'readers' | 'redis' | 'sender') => (after[key] - before[key]) / taken;
    const missed = (key: 'lost' | 'duplicates') => all[key] + sum(copies.map((copy) => copy[key]));
    return {
      perSecond: Math.round((taken * 1_000) / (lastAt - sent.startedAt)),
      cpuUs: { writer: each('writer'), readers: each('readers'), redis: each('redis') },
      senderCpuUs: each('sender'),
      heldUp: sent.heldUp / (sent.endedAt - sent.startedAt),
      lagP99: sent.lagP99,
      latencies: received.flatMap(({ latencies }) => latencies),
      lost: missed('lost'),
      duplicates: missed('duplicates'),
      waitedMs:
        before.waited === null || after.waited === null ? null : Math.round(after.waited - before.waited),
    };
  }

  private isCopied(consumer: number, n: number): boolean {
    return this.parts.hasCopies && isListenedTo(consumer, n);
  }

  /** Reports to the source how many detections all sinks together have taken. */
  private passOnProgress(): void {
    const { source, sinks } = this.parts;
    const taken = sinks.map(() => 0);
    for (const [i, sink] of sinks.entries())
      sink.listen((count) => {
        taken[i] = count;
        source.send(sum(taken));
      });
  }

  /** Waits until all detections and copies have arrived, or no more arrive. */
  private async untilTaken(count: number): Promise<void> {
    const { sinks, readers } = this.parts;
    let copies = 0;
    for (let n = this.next; n < this.next + count; n++)
      for (const consumer of readers.keys()) if (this.isCopied(consumer, n)) copies++;
    for (let taken = -1, since = performance.now(); performance.now() - since < TIMEOUT; await sleep(POLL)) {
      const counts = await Promise.all(sinks.map((sink) => sink.call('count')));
      const all = sum(counts.map((count) => count.all));
      const copied = sum(counts.map((count) => count.copies));
      if (all >= count && copied >= copies) return;
      if (all + copied === taken) continue;
      taken = all + copied;
      since = performance.now();
    }
  }

  private async usage() {
    const { source, writer, sinks, readers, redisCpu } = this.parts;
    const pids = [source, writer, ...sinks].map(({ pid }) => pid);
    const [sender, written, read, redis] = await Promise.all([
      source.call('cpu'),
      writer.call('cpu'),
      Promise.all(readers.map((reader) => reader.call('cpu'))),
      redisCpu(),
    ]);
    const waits = [...new Set(pids)].map(processorWait);
    return {
      sender,
      writer: written,
      readers: sum(read),
      redis,
      waited: waits.includes(null) ? null : sum(waits as number[]),
    };
  }
}
