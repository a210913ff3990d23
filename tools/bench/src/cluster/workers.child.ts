// Workers that hold subscriptions and send the detections that the benchmark asks for. The first argument says how many.
import { DetectionFrames, WIRE_BYTES } from '../delivery/detection-frames.js';
import { LoadSource, type Outlet } from '../delivery/load-source.js';
import { SUBSCRIPTIONS } from '../delivery/workload.js';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime, sharedClock } from '../support/process-figures.js';
import { SimulatedWorker } from '../support/simulated-worker.js';
import { subscriptionOf } from './plan-world.js';

const workers = await Promise.all(
  Array.from({ length: childArgument<number>() }, () => SimulatedWorker.start()),
);
const receivedAt = new Map<string, number>();
/** Index of the worker of each subscription. */
const holders = Array.from({ length: SUBSCRIPTIONS }, (_, subscription) => subscription % workers.length);
let commands = 0;
for (const [index, worker] of workers.entries()) {
  worker.on('held', (id) => {
    commands++;
    receivedAt.set(id, sharedClock());
    holders[subscriptionOf(id)] = index;
  });
  worker.on('dropped', () => commands++);
}

/** Sends each detection from the worker that holds its subscription. */
class WorkerOutlet implements Outlet {
  /** A wrong worker sends this many of the next detections. */
  misrouted = 0;
  private readonly frames = new DetectionFrames();
  private readonly pending = workers.map((): { n: number; due: number }[] => []);

  send(n: number, due: number): void {
    let worker = holders[n % SUBSCRIPTIONS]!;
    if (this.misrouted > 0) {
      this.misrouted--;
      worker = (worker + 1) % workers.length;
    }
    this.pending[worker]!.push({ n, due });
  }

  flush(): void {
    this.frames.touch();
    for (const [index, detections] of this.pending.entries()) {
      if (detections.length === 0) continue;
      const bytes = Buffer.allocUnsafe(detections.length * WIRE_BYTES);
      for (const [i, { n, due }] of detections.entries()) this.frames.write(bytes, i * WIRE_BYTES, n, due);
      detections.length = 0;
      workers[index]!.write(bytes);
    }
  }
}

const outlet = new WorkerOutlet();
const source = new LoadSource();
const calls = {
  urls: () => workers.map(({ url }) => url),
  /** Commands since the last call. */
  commands(): number {
    const count = commands;
    commands = 0;
    return count;
  },
  /** When any worker last got the subscription, on the shared clock; null: never. */
  receivedAt: (subscriptionIdentifier: string): number | null =>
    receivedAt.get(subscriptionIdentifier) ?? null,
  /** The next `count` detections come from workers that do not hold the subscription. */
  misroute: (count: number): void => {
    outlet.misrouted = count;
  },
  steady: (first: number, perSecond: number, duration: number) =>
    source.steady(outlet, first, perSecond, duration),
  /** During a flood, the parent sends the number of detections that were taken. */
  flood: (first: number, window: number, duration: number) => source.flood(outlet, first, window, duration),
  /** Processor time so far. Microseconds. */
  cpu: cpuTime,
};
export type WorkersCalls = typeof calls;

serveCalls(calls, (taken) => source.progress(taken));
