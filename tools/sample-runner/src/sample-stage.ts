import {
  LineReader,
  newDatabase,
  redisAt,
  type Service,
  startAll,
  startProgram,
  type ServerProcess,
  waitFor,
} from '@detector-cluster/dev-services';
import { startApp, WORKER_SCRIPT } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';

/** Timeout for steps that take seconds, on a busy machine. Milliseconds. */
const TIMEOUT = 60_000;
/** A replica may take this long to hand over before it is killed. Milliseconds. */
const HANDOVER = 8_000;
/** Milliseconds between two looks at the output of the replicas. */
const LOOK = 25;

const ANSWERS = /^answers at (\S+)$/;

/** Names of keys and databases contain it. */
const numberOf = (directory: string): string => basename(directory).slice(0, 3);

const asRunner = (message: string): string => `runner    | ${message}`;

/** A process of the sample. It ends with this process, even if it is frozen. */
export interface Replica extends ServerProcess {
  /** For people, e.g. `replica-1`. */
  readonly name: string;
}

/** A line of a replica's output. */
export interface Line {
  readonly replica: Replica;
  readonly text: string;
  /** `performance.now()` */
  readonly at: number;
}

export interface SampleStageOptions {
  /** Absolute path of the sample. */
  readonly directory: string;
  readonly postgres: boolean;
  /** Aborts pending waits. */
  readonly signal: AbortSignal;
  /** Receives the output for people, line by line. */
  readonly print: (line: string) => void;
}

/**
 * The stage of a sample: its servers, its replicas and their output. Redis, and a separate database if the sample needs one, are on
 * the servers of REDIS_URL and DATABASE_URL, else on private ones. They contain no data of the sample at the beginning, and none at
 * the end.
 */
export class SampleStage {
  /** All output so far, in the order of arrival. */
  readonly lines: Line[] = [];
  readonly redis: Redis;
  /** Replicas and what reads their output. */
  private readonly replicas = new Map<Replica, LineReader>();
  private readonly ends: (() => Promise<void>)[] = [];
  /** Aborts when the play is aborted, or a replica has ended by itself. */
  private readonly failure = new AbortController();
  private readonly signal: AbortSignal;
  private readonly looking: NodeJS.Timeout;
  private started = 0;

  private constructor(
    private readonly options: SampleStageOptions,
    private readonly servers: readonly Service[],
  ) {
    this.redis = new Redis(this.redisUrl);
    // The failing call reports the error.
    this.redis.on('error', () => undefined);
    this.signal = AbortSignal.any([options.signal, this.failure.signal]);
    this.looking = setInterval(() => this.look(), LOOK);
  }

  /** Starts the servers. */
  static async open(options: SampleStageOptions): Promise<SampleStage> {
    const { directory, postgres, print } = options;
    const notify = (message: string) => print(asRunner(message));
    const name = `sample_${numberOf(directory)}_${randomBytes(4).toString('hex')}`;
    const servers = await startAll([
      redisAt(process.env.REDIS_URL || undefined, notify),
      ...(postgres ? [newDatabase(process.env.DATABASE_URL || undefined, name)] : []),
    ]);
    const stage = new SampleStage(options, servers);
    try {
      await stage.clear();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  get redisUrl(): string {
    return this.servers[0]!.url;
  }

  /** Empty if the sample has no database. */
  get databaseUrl(): string {
    return this.servers[1]?.url ?? '';
  }

  /** A path inside the sample. */
  path(inside: string): string {
    return join(this.options.directory, inside);
  }

  /** Reports a step. */
  say(message: string): void {
    this.options.print(asRunner(message));
  }

  /** Starts one more replica. Resolves when the process runs; its output shows when it is ready. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    this.signal.throwIfAborted();
    const name = `replica-${++this.started}`;
    const { redisUrl: REDIS_URL, databaseUrl: DATABASE_URL } = this;
    const variables = { NO_COLOR: '1', REPLICA: name, REDIS_URL, DATABASE_URL, ...env };
    const server = await startProgram({
      name,
      command: () => [
        'env',
        ...Object.entries(variables).map(([key, value]) => `${key}=${value}`),
        process.execPath,
        this.path('dist/main.js'),
      ],
      ready: async () => true,
      stopSignal: 'TERM',
      timeout: HANDOVER,
    });
    const replica = Object.assign(server, { name });
    this.replicas.set(replica, new LineReader(join(server.directory, 'log')));
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
    return waitFor(what, TIMEOUT, probe, undefined, this.signal);
  }

  /** Registers something to end with the stage, after the replicas. */
  atEnd(end: () => Promise<void>): void {
    this.ends.push(end);
  }

  /** Ends everything, replicas first, and leaves nothing behind. */
  async close(): Promise<void> {
    clearInterval(this.looking);
    await Promise.all(
      [...this.replicas].map(async ([replica, output]) => {
        await replica.shutdown();
        this.read(replica, output);
        output.close();
        await replica.stop();
      }),
    );
    await Promise.all(this.ends.map((end) => end()));
    // If Redis is unavailable, there is nothing to clear.
    await this.clear().catch(() => undefined);
    this.redis.disconnect();
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  private look(): void {
    for (const [replica, output] of this.replicas) {
      // Before the output, which is complete then.
      const { failed } = replica;
      this.read(replica, output);
      if (failed) this.failure.abort(new Error(`${replica.name} has ended`));
    }
  }

  private read(replica: Replica, output: LineReader): void {
    for (const text of output.read()) {
      this.lines.push({ replica, text, at: performance.now() });
      this.options.print(`${replica.name} | ${text}`);
    }
  }

  private async clear(): Promise<void> {
    for await (const keys of this.redis.scanStream({ match: `sample-${numberOf(this.options.directory)}:*` }))
      if ((keys as string[]).length > 0) await this.redis.del(keys as string[]);
  }
}
