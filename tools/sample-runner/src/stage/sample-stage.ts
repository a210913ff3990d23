import { eventually } from '@detector-cluster/election/testing';
import { startApp, WORKER_SCRIPT } from '@detector-cluster/local-cluster';
import type { Redis } from 'ioredis';
import { fileURLToPath } from 'node:url';
import { Replica } from './replica.js';
import { StageServices } from './stage-services.js';

const root = new URL('../../../../', import.meta.url);
/** Timeout for steps that take seconds, on a busy machine. Milliseconds. */
const TIMEOUT = 60_000;

const ANSWERS = /^answers at (\S+)$/;

const asRunner = (message: string): string => `runner    | ${message}`;

/** A line of a replica's output. */
export interface Line {
  readonly replica: Replica;
  readonly text: string;
  /** `performance.now()` */
  readonly at: number;
}

export interface SampleStageOptions {
  readonly folder: string;
  readonly postgres: boolean;
  /** Aborts pending waits. */
  readonly signal: AbortSignal;
  /** Receives the output for people, line by line. */
  readonly print: (line: string) => void;
}

/** The stage of a sample: its servers, its replicas and their output. */
export class SampleStage {
  /** All output so far, in the order of arrival. */
  readonly lines: Line[] = [];
  private readonly replicas: Replica[] = [];
  private readonly ends: (() => Promise<void>)[] = [];
  private started = 0;

  private constructor(
    private readonly options: SampleStageOptions,
    private readonly services: StageServices,
  ) {}

  /** Starts the servers. */
  static async open(options: SampleStageOptions): Promise<SampleStage> {
    const { folder, postgres, print } = options;
    const keyPrefix = `sample-${folder.slice(0, 3)}:`;
    const notify = (message: string) => print(asRunner(message));
    return new SampleStage(options, await StageServices.start({ keyPrefix, postgres, notify }));
  }

  get redis(): Redis {
    return this.services.redis;
  }

  get redisUrl(): string {
    return this.services.redisUrl;
  }

  get databaseUrl(): string {
    return this.services.databaseUrl;
  }

  get signal(): AbortSignal {
    return this.options.signal;
  }

  /** A path inside the sample. */
  path(inside: string): string {
    return fileURLToPath(new URL(`samples/${this.options.folder}/${inside}`, root));
  }

  /** Reports a step. */
  say(message: string): void {
    this.options.print(asRunner(message));
  }

  /** Starts one more replica. Resolves when the process runs; its output shows when it is ready. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    this.signal.throwIfAborted();
    const name = `replica-${++this.started}`;
    const { redisUrl, databaseUrl } = this.services;
    const replica = await Replica.start({
      name,
      script: this.path('dist/main.js'),
      env: { REPLICA: name, REDIS_URL: redisUrl, DATABASE_URL: databaseUrl, ...env },
      onLine: (replica, text) => {
        this.lines.push({ replica, text, at: performance.now() });
        this.options.print(`${name} | ${text}`);
      },
    });
    this.replicas.push(replica);
    return replica;
  }

  /** Starts several at a time. */
  async startAll(count: number): Promise<Replica[]> {
    return Promise.all(Array.from({ length: count }, () => this.start()));
  }

  /** Starts the reference worker as a process that ends with the stage. Resolves with its address for the cluster. */
  async startWorker(env: Readonly<Record<string, string>>): Promise<string> {
    const worker = await startApp({
      name: 'worker',
      script: WORKER_SCRIPT,
      readyPath: '/health/live',
      env,
    });
    this.atEnd(() => worker.stop());
    return `ws://127.0.0.1:${worker.port}`;
  }

  /** Waits until a replica has said where it answers. */
  async addressOf(replica: Replica): Promise<string> {
    const { text } = await this.hears(
      `${replica.name} answers`,
      (line) => line.replica === replica && ANSWERS.test(line.text),
    );
    return ANSWERS.exec(text)![1]!;
  }

  /** Waits for a matching line after the first `since` lines. */
  async hears(what: string, fits: (line: Line) => boolean, since = 0): Promise<Line> {
    return this.until(what, () => this.lines.slice(since).find(fits));
  }

  /** Waits until `probe` finds something. Rejects if a replica ends by itself or the play is aborted. */
  until<Value>(
    what: string,
    probe: () => Value | undefined | false | Promise<Value | undefined | false>,
  ): Promise<Value> {
    return eventually(what, TIMEOUT, () => {
      this.signal.throwIfAborted();
      for (const replica of this.replicas) replica.check();
      return probe();
    });
  }

  /** Registers something to end with the stage, after the replicas. */
  atEnd(end: () => Promise<void>): void {
    this.ends.push(end);
  }

  /** Ends everything, replicas first, and leaves nothing behind. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await Promise.all(this.ends.map((end) => end()));
    await this.services.stop();
  }
}
