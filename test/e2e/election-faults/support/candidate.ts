import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import type { RedisElectionOptions } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { Journal } from './journal.js';

const script = fileURLToPath(new URL('../../../support/dist/candidate-child.js', import.meta.url));
const EXIT_TIMEOUT = 30_000;

/** What a candidate may be started with, besides where. */
export type CandidateOptions = Pick<
  RedisElectionOptions,
  | 'timing'
  | 'crashDetection'
  | 'lockTtl'
  | 'heartbeatInterval'
  | 'checkInterval'
  | 'presenceValidity'
  | 'presenceGrace'
> & {
  /** By which the process takes part. Default `Elector`. */
  readonly api?: 'Elector' | 'MasterElection' | 'ClassicFeed';
  /** What elects. Default `redis`: that of this library. `postgres feed`: on the server of DATABASE_URL. */
  readonly backend?: 'redis' | 'redis feed' | 'postgres feed' | 'etcd' | 'postgres';
  /** Of the backend's store, where that is no Redis. Default: DATABASE_URL. */
  readonly url?: string;
  /** Of the election's store. */
  readonly username?: string;
  readonly password?: string;
};

/** What all candidates of one election share. */
export interface CandidateSetting {
  readonly store: { readonly host: string; readonly port: number };
  readonly lockName: string;
  /** URL of the Redis that holds the resource that leaders write. */
  readonly resource: string;
  readonly prefix: string;
}

/** Milliseconds on the clock that all processes of a machine share. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** One candidate as a process of its own, under a guard: it ends with this process, also when it is frozen. */
export class Candidate {
  paused = false;

  private constructor(
    readonly id: string,
    private readonly server: ServerProcess,
    private readonly send: (command: unknown[]) => Promise<unknown>,
  ) {}

  /** Resolves when it competes. */
  static async start(
    setting: CandidateSetting,
    { api, backend, url, username, password, ...options }: CandidateOptions,
    journal: Journal,
    resource: Redis,
  ): Promise<Candidate> {
    const id = `candidate:${randomUUID().slice(0, 8)}`;
    const store = { ...setting.store, username, password };
    const server = await startProgram({
      name: 'candidate',
      command: () => [
        process.execPath,
        script,
        JSON.stringify({
          ...setting,
          id,
          store,
          api,
          backend,
          options,
          database: url ?? process.env.DATABASE_URL,
          journal: journal.path,
        }),
      ],
      ready: () => {
        journal.read();
        return Promise.resolve(journal.entries.some(({ kind, owner }) => kind === 'joined' && owner === id));
      },
      stopSignal: 'KILL',
      timeout: 1_000,
    });
    return new Candidate(id, server, (command) =>
      resource.publish(`${setting.prefix}:commands:${id}`, JSON.stringify(command)),
    );
  }

  get alive(): boolean {
    return isAlive(this.server.pid);
  }

  /** SIGKILL; returns when that was. */
  kill(): number {
    const at = sharedClock();
    process.kill(this.server.pid, 'SIGKILL');
    return at;
  }

  /** SIGTERM, and waits until it has ended. */
  async terminate(): Promise<void> {
    process.kill(this.server.pid, 'SIGTERM');
    const deadline = performance.now() + EXIT_TIMEOUT;
    while (this.alive) {
      if (performance.now() > deadline)
        throw new Error(`${this.id} did not end within ${EXIT_TIMEOUT} ms after SIGTERM`);
      await sleep(10);
    }
  }

  /** SIGSTOP. */
  pause(): void {
    this.paused = true;
    this.server.pause();
  }

  /** SIGCONT; returns when that was. */
  resume(): number {
    const at = sharedClock();
    this.paused = false;
    this.server.resume();
    return at;
  }

  /** Makes it do nothing but count for so long. Milliseconds. Resolves before that. */
  async block(duration: number): Promise<void> {
    await this.send(['block', duration]);
  }

  async resign(): Promise<void> {
    await this.send(['resign']);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    await this.server.stop();
  }
}
