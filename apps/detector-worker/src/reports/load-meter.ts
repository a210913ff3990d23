import { totalmem } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';

/** Percent, 0 to 100, with one decimal. */
export interface Load {
  readonly cpuUsage: number;
  readonly memoryUsage: number;
  readonly gpuUsage: number;
  readonly gpuMemoryUsage: number;
}

const MIN_WINDOW_MS = 500;
const IDLE_GPU = 3;
const BUSY_GPU = 80;

const percent = (value: number) => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10;

/** CPU and memory of this process as they are, and a GPU whose load grows with its streams. */
@Injectable()
export class LoadMeter {
  #cpu = process.cpuUsage();
  #since: number;
  #cpuUsage = 0;

  constructor(
    private readonly clock: Clock,
    @Inject(WORKER_OPTIONS) private readonly options: Pick<WorkerOptions, 'capacity'>,
  ) {
    this.#since = clock.now();
  }

  /** Load with so many streams open. CPU is the mean since the last measurement, of one core. */
  measure(streams: number): Load {
    const gpu = IDLE_GPU + (BUSY_GPU - IDLE_GPU) * Math.min(1, streams / this.options.capacity);
    return {
      cpuUsage: this.cpu(),
      memoryUsage: percent((process.memoryUsage.rss() / totalmem()) * 100),
      gpuUsage: percent(gpu),
      gpuMemoryUsage: percent(gpu * 0.9),
    };
  }

  private cpu(): number {
    const elapsed = this.clock.now() - this.#since;
    if (elapsed >= MIN_WINDOW_MS) {
      const { user, system } = process.cpuUsage(this.#cpu);
      this.#cpuUsage = percent(((user + system) / 1000 / elapsed) * 100);
      this.#cpu = process.cpuUsage();
      this.#since += elapsed;
    }
    return this.#cpuUsage;
  }
}
