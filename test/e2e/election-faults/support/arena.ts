import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startRedis,
  tempDirectory,
  type RedisService,
  type StartRedisOptions,
} from '@detector-cluster/dev-services';
import { blockingSettings, closeRedis, openRedis } from '@detector-cluster/election/redis';
import { waitFor } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomPrefix } from '../../../support/random-prefix.js';
import { Candidate, sharedClock, type CandidateOptions, type CandidateSetting } from './candidate.js';
import { Journal } from './journal.js';
import type { EntryOf, JournalEntry } from './journal-entry.js';
import { verdict } from './verdict.js';

/** For what happens at last. Milliseconds. */
const TIMEOUT = 60_000;

/** A connection to the server of an election, as its list of clients shows it. */
export interface Client {
  /** Id of the candidate. */
  readonly owner: string;
  /** Whether it is the one by which the server sees the candidate's process. */
  readonly presence: boolean;
}

export interface ArenaOptions extends CandidateOptions {
  /** Of the election's server, which is its own. */
  readonly server?: StartRedisOptions;
}

/**
 * An election among processes on its own Redis, and a fenced resource on another Redis that the leader writes to. Tests can
 * disturb the processes, their connections and the election's Redis; then the verdict says whether the history is correct.
 */
export class Arena {
  readonly candidates: Candidate[] = [];

  private constructor(
    readonly redis: RedisService,
    private readonly options: CandidateOptions,
    private readonly setting: CandidateSetting,
    readonly journal: Journal,
    private readonly directory: string,
    private readonly resource: Redis,
  ) {}

  /** Resolves when the first leader is known to all. */
  static async start(size: number, { server, ...options }: ArenaOptions = {}): Promise<Arena> {
    const redis = await startRedis(server);
    const resource = process.env.REDIS_URL!;
    const directory = await tempDirectory('journal');
    const prefix = randomPrefix('resource');
    const lockName = 'election';
    const { host, port } = redis;
    const arena = new Arena(
      redis,
      options,
      { store: { host, port }, lockName, resource, prefix },
      new Journal(join(directory, 'journal')),
      directory,
      openRedis(resource, blockingSettings),
    );
    try {
      await Promise.all(Array.from({ length: size }, () => arena.join()));
      await arena.settled();
    } catch (error) {
      await arena.stop();
      throw error;
    }
    return arena;
  }

  async join(options: CandidateOptions = {}): Promise<Candidate> {
    const candidate = await Candidate.start(
      this.setting,
      { ...this.options, ...options },
      this.journal,
      this.resource,
    );
    this.candidates.push(candidate);
    return candidate;
  }

  /** All that run and are not frozen. */
  get living(): Candidate[] {
    return this.candidates.filter((candidate) => !candidate.paused && candidate.alive);
  }

  /** Resolves with the one leader once all running candidates know it, in the same term, and it has acted since the call. */
  settled(timeout = TIMEOUT): Promise<Candidate> {
    const since = this.journal.read();
    return waitFor(
      'one leader that all know',
      timeout,
      () => {
        this.journal.read();
        const { living } = this;
        const views = living.map(({ id }) => this.journal.views.get(id));
        const first = views[0];
        const leader = living.find(({ id }) => id === first?.leaderId);
        if (!first || !leader) return null;
        if (views.some((view) => view?.leaderId !== leader.id || view.term !== first.term || view.suspended))
          return null;
        const acted = this.journal.entries
          .slice(since)
          .some(({ kind, owner }) => kind === 'acted' && owner === leader.id);
        return acted ? leader : null;
      },
      () => this.story(),
    );
  }

  /** Resolves with the first entry from `from` on that fits. */
  next<Kind extends JournalEntry['kind']>(
    kind: Kind,
    from: number,
    fits: (entry: EntryOf<Kind>) => boolean = () => true,
    timeout = TIMEOUT,
  ): Promise<EntryOf<Kind>> {
    const matches = (entry: JournalEntry) => entry.kind === kind && fits(entry as EntryOf<Kind>);
    return waitFor(
      `entry '${kind}'`,
      timeout,
      () => {
        this.journal.read();
        const found = this.journal.entries.slice(from).find(matches);
        return (found as EntryOf<Kind> | undefined) ?? null;
      },
      () => this.story(),
    );
  }

  /** Closes connections of candidates to the election's server, from the server's side. Returns how many. */
  async cut(which: (client: Client) => boolean): Promise<number> {
    return this.onServer(async (redis) => {
      const list = (await redis.client('LIST')) as string;
      const ids = list.split('\n').flatMap((line) => {
        const [, id] = /(?:^| )id=(\d+)/.exec(line) ?? [];
        const [, presence, owner] = /(?:^| )name=(\S*:presence:)?(candidate:\w+)/.exec(line) ?? [];
        return id && owner && which({ owner, presence: presence !== undefined }) ? [id] : [];
      });
      const killed = await Promise.all(ids.map((id) => redis.client('KILL', 'ID', id)));
      return killed.reduce((sum: number, count) => sum + Number(count), 0);
    });
  }

  /** Closes the connection by which the server sees a candidate, once there is one: it may be on its way back. */
  async cutPresence({ id }: Candidate): Promise<void> {
    const cut = () => this.cut(({ owner, presence }) => presence && owner === id);
    await waitFor(`presence of ${id}`, TIMEOUT, async () => (await cut()) || null);
  }

  /** A crash of the election's server; without its append-only file it comes back empty. Returns when it was started. */
  async restart({ loseData = false, downFor = 0 } = {}): Promise<number> {
    await this.redis.kill();
    if (loseData) await rm(join(this.redis.directory, 'appendonlydir'), { recursive: true, force: true });
    await sleep(downFor);
    const at = sharedClock();
    await this.redis.start();
    return at;
  }

  async onServer<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    const redis = new Redis({ ...this.setting.store, commandTimeout: 10_000, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  /** What is wrong with all that has happened; empty when nothing is. */
  async verdict(): Promise<string[]> {
    this.journal.read();
    return verdict(
      this.journal.entries,
      await this.resource.lrange(`${this.setting.prefix}:accepted`, 0, -1),
    );
  }

  /** The last events, for a test that fails. */
  story(length = 60): string {
    this.journal.read();
    return this.journal.entries
      .filter(({ kind }) => kind !== 'granted' && kind !== 'acted')
      .slice(-length)
      .map((entry) => JSON.stringify(entry))
      .join('\n');
  }

  async stop(): Promise<void> {
    await Promise.all(this.candidates.map((candidate) => candidate.stop()));
    await this.redis.stop();
    const { prefix } = this.setting;
    await this.resource.del(`${prefix}:fence`, `${prefix}:accepted`);
    closeRedis(this.resource);
    this.journal.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
