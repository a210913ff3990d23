import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Candidate } from '../../contract/candidate.js';
import type { ElectionBackend } from '../../contract/election-backend.js';
import type { ElectionState } from '../../contract/election-state.js';
import { electionKeys } from './election-keys.js';
import { parseElectionNews } from './election-news.js';
import { keepSubscribed } from './connection/keep-subscribed.js';
import { LeaseStore } from './lease-store.js';
import { RedisCampaign } from './redis-campaign.js';
import { blockingSettings, closeRedis, commandSettings, openRedis } from './connection/redis-connection.js';
import {
  resolveRedisElectionOptions,
  type RedisElectionOptions,
  type ResolvedRedisElectionOptions,
} from './redis-election-options.js';

/**
 * Elects over a lease record in Redis 6.2 or newer, or Valkey.
 *
 * All changes are Lua scripts that use the server's clock. The leader renews every `heartbeatInterval` and may act until
 * 99 % of `lockTtl` after it sent the last renewal that succeeded. A leader that dies is replaced when its lease runs
 * out, at most `lockTtl` + 0.25 s later; one that resigns, at once. Two connections: one for commands, one that listens.
 */
export class RedisElectionBackend implements ElectionBackend {
  readonly name = 'redis';
  private readonly options: ResolvedRedisElectionOptions;
  private readonly commands: Redis;
  private readonly listener: Redis;
  private readonly store: LeaseStore;
  private readonly closing = new AbortController();
  private current: RedisCampaign | undefined;
  /** Settles when the last campaign has ended. */
  private ended: Promise<void> = Promise.resolve();

  /** Throws a `RangeError` when the durations do not fit each other. Connects at once, in the background. */
  constructor(options: RedisElectionOptions) {
    this.options = resolveRedisElectionOptions(options);
    const { redis, lockName, lockTtl, commandTimeout } = this.options;
    const keys = electionKeys(lockName);
    this.commands = openRedis(redis, { ...commandSettings, commandTimeout });
    this.listener = openRedis(redis, blockingSettings);
    this.store = new LeaseStore(this.commands, keys, lockTtl, commandTimeout);
    this.commands.once('ready', () => void this.checkServer());
    this.commands.on('ready', () => this.current?.lookAgain());
    this.listener.on('message', (_channel, message) => {
      const news = parseElectionNews(message);
      if (news) this.current?.hear(news);
    });
    keepSubscribed(this.listener, [keys.changed], () => this.current?.lookAgain());
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.current) throw new Error('a campaign of this backend is already under way');
    const until = AbortSignal.any([signal, this.closing.signal]);
    const campaign = new RedisCampaign(this.store, this.options, candidate, until, signal);
    this.current = campaign;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    try {
      yield* campaign.states();
    } finally {
      this.current = undefined;
      ended();
    }
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  async close(): Promise<void> {
    this.closing.abort();
    // A consumer that reads on steps down first; one that does not is not waited for.
    const patience = new AbortController();
    const tooLong = sleep(this.options.commandTimeout, undefined, { signal: patience.signal }).catch(
      () => undefined,
    );
    await Promise.race([this.ended, tooLong]);
    patience.abort();
    await this.current?.release();
    closeRedis(this.commands);
    closeRedis(this.listener);
  }

  /** An eviction of the record would be a loss of leadership out of the blue. */
  private async checkServer(): Promise<void> {
    const memory = await this.commands.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
    if (policy !== undefined && policy !== 'noeviction')
      this.options.onWarning(
        `Redis evicts keys when its memory is full (maxmemory-policy ${policy}), the election among them; use noeviction`,
      );
  }
}
