import type { Redis } from 'ioredis';
import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import { CampaignSlot } from '../../lease/campaign-slot.js';
import { CampaignMemory } from '../../lease/campaign-memory.js';
import { seenLeaseOf } from '../../lease/seen-lease.js';
import { Condition } from '../../util/condition.js';
import { RedisCampaign } from './campaign/redis-campaign.js';
import { blockingSettings, closeRedis, commandSettings, openRedis } from './connection/redis-connection.js';
import { databaseOf, listenerCount } from './connection/redis-source.js';
import { keepSubscribed } from './connection/subscribe-at-every-dial.js';
import { electionKeys, type ElectionKeys, parseElectionNews } from './election-keys.js';
import { RedisLeaseStore } from './lease/redis-lease-store.js';
import { PresenceConnection } from './campaign/presence-connection.js';
import {
  type RedisElectionOptions,
  type ResolvedRedisElectionOptions,
  resolveRedisElectionOptions,
} from './redis-election-options.js';

/**
 * Elects over a lease record in Redis 6.2 or newer, or Valkey. All changes are Lua scripts that use the server's clock.
 *
 * Every process holds a connection that shows the server that the process is alive. The leader confirms its lease every
 * `confirmInterval` and may act until `presenceValidity` after it sent a confirmation. Followers that find its connection
 * gone for `presenceGrace` replace it: a leader whose process dies is replaced in about a second. A leader that freezes or is cut
 * off is replaced when its lease expires, at most `lockTtl` + 0.25 s later. A leader that resigns is replaced at once.
 *
 * Without presence (`crashDetection: 'lease'`, or a server that does not show it) the leader renews every
 * `heartbeatInterval`, may act until 98 % of `lockTtl` after that, and is replaced when its lease expires.
 *
 * Each waits for what the holder of the lease has promised itself, so that candidates may have different durations.
 *
 * The backend has three connections: for commands, for news, and for presence.
 */
export class RedisElectionBackend implements ElectionBackend {
  readonly name = 'redis';
  private readonly options: ResolvedRedisElectionOptions;
  private readonly keys: ElectionKeys;
  private readonly commands: Redis;
  private readonly listener: Redis;
  private readonly store: RedisLeaseStore;
  private readonly memory: CampaignMemory;
  private readonly slot: CampaignSlot<RedisCampaign>;
  private presence: PresenceConnection | undefined;

  /** Throws a `RangeError` when the durations do not fit each other. Connects at once, in the background. */
  constructor(options: RedisElectionOptions) {
    this.options = resolveRedisElectionOptions(options);
    const { redis, lockName, commandTimeout, crashDetection } = this.options;
    this.keys = electionKeys(lockName, databaseOf(redis));
    this.memory = new CampaignMemory(this.options.presence?.incarnation, seenLeaseOf(this.keys.changed));
    this.slot = new CampaignSlot(this.options.clock);
    this.commands = openRedis(redis, {
      ...commandSettings,
      commandTimeout,
      connectionName: 'election:commands',
    });
    this.listener = openRedis(redis, { ...blockingSettings, connectionName: 'election:news' });
    this.store = new RedisLeaseStore(this.commands, this.keys, {
      ...this.options,
      count: crashDetection === 'presence' ? listenerCount(redis) : '',
    });
    this.commands.once('ready', () => void this.checkServer());
    this.commands.on('ready', () => this.slot.current?.connected());
    this.listener.on('message', (_channel, message) => {
      const news = parseElectionNews(message);
      if (news) this.slot.current?.hear(news);
    });
    keepSubscribed(this.listener, [this.keys.changed], () => this.slot.current?.lookAgain());
    this.options.presence?.on('listening', this.onListening);
  }

  get lockTtl(): number {
    return this.options.lockTtl;
  }

  campaign(candidate: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    return this.slot.run(consumer, (signal) => {
      const { store, options, memory } = this;
      if (options.crashDetection === 'presence') this.presence = this.presenceOf(candidate);
      const { presence } = this;
      const condition = new Condition(options.clock);
      return new RedisCampaign({ store, options, candidate, memory, signal, condition, presence }, consumer);
    });
  }

  async resign(): Promise<void> {
    await this.slot.current?.resign();
  }

  async close(): Promise<void> {
    await this.slot.close(this.options.commandTimeout);
    closeRedis(this.commands);
    closeRedis(this.listener);
    if (this.presence !== this.options.presence) this.presence?.close();
    this.options.presence?.off('listening', this.onListening);
  }

  private readonly onListening = () => this.slot.current?.lookAgain();

  private presenceOf({ id }: Candidate): PresenceConnection {
    const { presence: shared, redis } = this.options;
    if (shared && shared.candidateId !== id)
      throw new Error(
        `the presence connection shows '${shared.candidateId}', so that '${id}' cannot campaign with it`,
      );
    if (shared ?? this.presence?.candidateId === id) return (shared ?? this.presence)!;
    this.presence?.close();
    const presence = new PresenceConnection(redis, this.keys.presence, id, this.memory.incarnation);
    presence.on('listening', this.onListening);
    presence.checkBy(this.commands);
    return presence;
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
