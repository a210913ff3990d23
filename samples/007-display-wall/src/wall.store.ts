import {
  blockingSettings,
  closeRedis,
  commandSettings,
  keepSubscribed,
  openRedis,
} from '@detector-cluster/election/redis';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ChainableCommander } from 'ioredis';
import { keyPrefix, redis } from './config.js';
import { readHolder, writeHolder, type Holder } from './holder.js';
import type { Sighting } from './sighting.js';

/** Hash: display → its holder. */
const HOLDERS = `${keyPrefix}holders`;
/** Channel: names of displays that have a new sighting or another holder. Messages may get lost. */
const NEWS = `${keyPrefix}news`;
/** Stream: what a display has to show. */
const logOf = (display: string): string => `${keyPrefix}log:${display}`;

/** How many sightings a display can catch up on. */
const KEPT = 500;
/** The log of a display without cameras is deleted after a day. Seconds. */
const DAY = 86_400;
/** The most entries of one read. */
export const BATCH = 100;

/** Sets the holder of a display, unless the present one does not begin with the third argument. */
const CLAIM = `
local present = redis.call('HGET', KEYS[1], ARGV[1])
if present and string.sub(present, 1, #ARGV[3]) ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 1`;

/** Deletes the entry of a display if it still has this value. */
const RELEASE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])`;

/** A sighting and its position in the log of its display. */
export interface LogEntry {
  readonly position: string;
  readonly sighting: Sighting;
}

/** The state of the wall in Redis: the log of each display, and which connection shows it. */
@Injectable()
export class WallStore implements OnApplicationShutdown {
  // Bounded, so that a page whose replica has lost Redis soon tries another one.
  private readonly redis = openRedis(redis, commandSettings);
  private readonly subscriber = openRedis(redis, blockingSettings);

  constructor() {
    keepSubscribed(this.subscriber, [NEWS]);
  }

  /** Appends to the log of a display. When it resolves, no crash of a replica can lose the sighting. */
  async append(display: string, sighting: Sighting): Promise<void> {
    const log = logOf(display);
    const text = JSON.stringify(sighting);
    await run(
      this.redis
        .multi()
        .xadd(log, 'MAXLEN', '~', KEPT, '*', 'sighting', text)
        .expire(log, DAY)
        .publish(NEWS, display),
    );
  }

  /**
   * Gives the display to `holder`, and announces it. Returns false if another page has the display and `opened` is false.
   * @param opened whether a user has just opened the page, so that it replaces another page
   */
  async claim(display: string, holder: Holder, opened: boolean): Promise<boolean> {
    const replaces = opened ? '' : writeHolder({ ...holder, processId: '' });
    const claimed = await this.redis.eval(CLAIM, 1, HOLDERS, display, writeHolder(holder), replaces, NEWS);
    return claimed === 1;
  }

  /**
   * Returns the next entries after a position, or null if another page shows the display. Both are decided in one transaction, so a
   * page gets nothing after it was replaced.
   */
  async read(display: string, holder: Holder, after: string): Promise<LogEntry[] | null> {
    const [, present, entries] = await run<[number, string, [string, [string, string]][]]>(
      this.redis
        .multi()
        // The record is missing after a restart of Redis without its data.
        .hsetnx(HOLDERS, display, writeHolder(holder))
        .hget(HOLDERS, display)
        .xrange(logOf(display), `(${after}`, '+', 'COUNT', BATCH),
    );
    if (readHolder(present).page !== holder.page) return null;
    return entries.map(([position, [, text]]) => ({ position, sighting: JSON.parse(text) as Sighting }));
  }

  /** Forgets the holder of a display, unless it has changed. */
  async release(display: string, holder: Holder): Promise<void> {
    await this.redis.eval(RELEASE, 1, HOLDERS, display, writeHolder(holder));
  }

  async holders(): Promise<ReadonlyMap<string, Holder>> {
    const all = await this.redis.hgetall(HOLDERS);
    return new Map(Object.entries(all).map(([display, text]) => [display, readHolder(text)]));
  }

  onNews(callback: (display: string) => void): void {
    this.subscriber.on('message', (_channel, display) => callback(display));
  }

  onApplicationShutdown(): void {
    closeRedis(this.redis);
    closeRedis(this.subscriber);
  }
}

/** Runs a transaction. Rejects if any of its commands has failed. */
async function run<Results extends readonly unknown[]>(transaction: ChainableCommander): Promise<Results> {
  const results = (await transaction.exec()) ?? [];
  for (const [error] of results) if (error) throw error;
  return results.map(([, result]) => result) as unknown as Results;
}
