// All workers in one process: those of the cluster, and as many for the bare loop.
import { serveCalls } from '../../support/child-calls.js';
import { cpuTime } from '../../support/process-figures.js';
import { SimulatedWorker } from '../../support/simulated-worker.js';
import { DetectionFrames } from './detection-frames.js';
import { LoadSource, type Outlet, type OutletName, type SourceCalls } from './load-source.js';
import { identifierOf, SUBSCRIPTIONS, WORKERS } from './workload.js';

const numbers = new Map(Array.from({ length: SUBSCRIPTIONS }, (_, number) => [identifierOf(number), number]));

/** Sends each detection from the worker that holds its subscription. */
class WorkerOutlet implements Outlet {
  /** A wrong worker sends this many of the next detections. */
  misrouted = 0;

  /** Index of the worker of each subscription. */
  private readonly holders: number[];
  private readonly pending: { n: number; due: number }[][];

  private constructor(
    private readonly workers: readonly SimulatedWorker[],
    private readonly frames: DetectionFrames,
  ) {
    this.holders = Array.from({ length: SUBSCRIPTIONS }, (_, subscription) => subscription % workers.length);
    this.pending = workers.map(() => []);
    for (const [number, worker] of workers.entries())
      worker.on('held', (identifier) => (this.holders[numbers.get(identifier)!] = number));
  }

  static async start(frames: DetectionFrames): Promise<WorkerOutlet> {
    return new WorkerOutlet(
      await Promise.all(Array.from({ length: WORKERS }, () => SimulatedWorker.start())),
      frames,
    );
  }

  get urls(): string[] {
    return this.workers.map(({ url }) => url);
  }

  send(n: number, due: number): void {
    let worker = this.holders[n % SUBSCRIPTIONS]!;
    if (this.misrouted > 0) {
      this.misrouted--;
      worker = (worker + 1) % this.workers.length;
    }
    this.pending[worker]!.push({ n, due });
  }

  flush(): void {
    const { frames } = this;
    frames.touch();
    for (const [number, detections] of this.pending.entries()) {
      if (detections.length === 0) continue;
      const bytes = Buffer.allocUnsafe(detections.length * DetectionFrames.wireBytes);
      for (const [i, { n, due }] of detections.entries())
        frames.write(bytes, i * DetectionFrames.wireBytes, n, due);
      detections.length = 0;
      this.workers[number]!.write(bytes);
    }
  }
}

const frames = new DetectionFrames();
const outlets = { cluster: await WorkerOutlet.start(frames), bare: await WorkerOutlet.start(frames) };
const source = new LoadSource();
const calls = {
  /** URLs of the workers. */
  urls: (outlet: OutletName): string[] => outlets[outlet].urls,
  /** The next `count` detections of the cluster come from workers that do not hold the subscription. */
  misroute: (count: number): void => {
    outlets.cluster.misrouted = count;
  },
  steady: (outlet, ...plan) => source.steady(outlets[outlet], ...plan),
  flood: (outlet, ...plan) => source.flood(outlets[outlet], ...plan),
  cpu: cpuTime,
} satisfies SourceCalls & Record<string, unknown>;
export type WorkerHostCalls = typeof calls;

serveCalls(calls, (taken) => source.progress(taken));
