import { LineReader, tempDirectory } from '@detector-cluster/dev-services';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process holds after a collection of garbage. */
export interface Gauge {
  readonly process: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes of objects, and of what they hold outside of the heap. */
  readonly heap: number;
  /** Bytes that the operating system has given to the process. */
  readonly resident: number;
  readonly sockets: number;
  /** Those that will run. */
  readonly timers: number;
  /** Of emitters and of signals for aborts; of connections, only those of the one that has most. */
  readonly listeners: number;
}

/** Has processes write down what they hold. */
export class Gauges {
  private constructor(
    private readonly directory: string,
    private readonly lines: LineReader,
    private readonly every: number,
  ) {}

  /** @param every milliseconds between two measurements of a process */
  static async create(every: number): Promise<Gauges> {
    const directory = await tempDirectory('gauges');
    return new Gauges(directory, new LineReader(join(directory, 'gauges')), every);
  }

  /** Environment of a process that is measured. */
  get env(): Readonly<Record<string, string>> {
    const preload = new URL('../../dist/soak/gauge.preload.js', import.meta.url);
    return {
      GAUGES: this.lines.path,
      GAUGE_EVERY: String(this.every),
      NODE_OPTIONS: `--import=${preload.href}`,
    };
  }

  /** What processes have written since the last call. */
  read(): Gauge[] {
    return this.lines.read().map((line) => JSON.parse(line) as Gauge);
  }

  async close(): Promise<void> {
    this.lines.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
