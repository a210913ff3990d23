import { processorWait, stolenTime } from '@detector-cluster/dev-services';
import type { History } from '@detector-cluster/history';
import { availableParallelism } from 'node:os';

/** Milliseconds. */
const INTERVAL = 1_000;

/** A process that gets less of a processor answers too late for those that wait for it. */
const STARVED = 2 / 3;

/** Notes which processes have no processor for more than two thirds of a second, because the machine or its host is busy. */
export class StarvationWatch {
  private readonly timer = setInterval(() => this.look(), INTERVAL);
  private since = performance.now();
  private stolen = stolenTime();
  /** Process id → its wait at the last look. Milliseconds. */
  private waits = new Map<number, number>();

  constructor(
    /** Ids of the processes at this time. */
    private readonly processes: () => readonly number[],
    private readonly history: History,
  ) {}

  end(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const [now, at, stolen] = [performance.now(), Date.now(), stolenTime()];
    const waits = new Map(this.processes().map((pid) => [pid, processorWait(pid) ?? 0]));
    const ms = now - this.since;
    const stolenFromEach = (stolen - this.stolen) / availableParallelism();
    const starved = [...waits].filter(
      ([pid, wait]) => wait - (this.waits.get(pid) ?? wait) + stolenFromEach > STARVED * ms,
    );
    this.history.write(starved.map(([process]) => ({ starved: { process, at, ms: Math.round(ms) } })));
    [this.since, this.stolen, this.waits] = [now, stolen, waits];
  }
}
