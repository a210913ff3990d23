import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { waitFor } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { afterEach, beforeEach } from 'vitest';
import { endChild } from '../../support/end-child.js';
import { startLeaderChild, type JournalEntry, type LeaderPlan } from '../../support/leader-process.js';
import { TIMEOUT } from './cluster.js';

/** Short enough for tests that freeze a master, long enough for a process of a busy machine that must stay master. */
export const LEADER_TIMING = { lockTtl: 6_000, heartbeatInterval: 400, checkInterval: 300 };

/** The processes of one test, all in one election, and the journal that they share. */
export class LeaderProcesses {
  readonly redis: Redis;
  readonly lockName: string;
  private readonly journal: string;
  private readonly children = new Map<string, ChildProcess>();

  constructor(private readonly url: string) {
    const prefix = `{leader-${randomUUID()}}`;
    this.redis = new Redis(url);
    this.lockName = `${prefix}:election`;
    this.journal = `${prefix}:journal`;
  }

  start(name: string, plan: Partial<LeaderPlan> = {}): ChildProcess {
    const { url: redis, journal, lockName } = this;
    const election = { lockName, ...LEADER_TIMING };
    const child = startLeaderChild({ name, redis, journal, election, ...plan });
    this.children.set(name, child);
    return child;
  }

  get(name: string): ChildProcess {
    return this.children.get(name)!;
  }

  async entries(): Promise<JournalEntry[]> {
    return (await this.redis.lrange(this.journal, 0, -1)).map((line) => JSON.parse(line) as JournalEntry);
  }

  /** Waits until the journal shows something, and returns all of it. */
  until(what: string, shows: (entries: JournalEntry[]) => boolean): Promise<JournalEntry[]> {
    return waitFor(what, TIMEOUT, async () => {
      const entries = await this.entries();
      return shows(entries) ? entries : null;
    });
  }

  async untilRegistered(count: number): Promise<void> {
    await waitFor(`${count} registered`, TIMEOUT, async () =>
      (await this.redis.hlen(`${this.lockName}:processes`)) === count ? true : null,
    );
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.children.values()].map((child) => endChild(child)));
    await this.redis.del(...(await this.redis.keys(`${this.lockName}:*`)), this.journal);
    this.redis.disconnect();
  }
}

/** New processes for each test, which end with it; on the server of all tests unless `url` names another. */
export function useLeaderProcesses(url: () => string = () => process.env.REDIS_URL!): () => LeaderProcesses {
  let processes: LeaderProcesses;
  beforeEach(() => {
    processes = new LeaderProcesses(url());
  });
  afterEach(() => processes.dispose());
  return () => processes;
}

/** Names of the masters, in order; the same one may follow itself. */
export function mastersOf(entries: readonly JournalEntry[]): string[] {
  return entries.filter(({ event }) => event === 'acquired').map(({ name }) => name);
}
