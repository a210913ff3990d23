import {
  startPostgres,
  startRedis,
  type PostgresService,
  type RedisService,
} from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from './eventually.fixture.js';
import { startTestApp, type TestApp } from './test-app.fixture.js';

interface OutageEvent {
  readonly type: string;
  readonly at: string;
  readonly since: string;
  readonly until: string;
  readonly problem: string;
}

const seconds = ({ since, until }: OutageEvent) => (Date.parse(until) - Date.parse(since)) / 1_000;

describe('outages', () => {
  let redis: RedisService;
  let postgres: PostgresService;
  const apps: TestApp[] = [];

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startRedis({ persistence: true }), startPostgres()]);
    await applyMigrations(postgres.url, MIGRATIONS_DIRECTORY);
    const prefix = randomUUID();
    for (let i = 0; i < 3; i++)
      apps.push(
        await startTestApp({
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          KEY_PREFIX: `{${prefix}}:`,
          LOCK_NAME: prefix,
        }),
      );
    await ready();
  }, 2 * TIMEOUT);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await Promise.all([redis?.stop(), postgres?.stop()]);
  }, TIMEOUT);

  const ready = () =>
    eventually(async () => {
      for (const app of apps) expect((await app.send('GET', '/health/ready')).status).toBe(200);
    });

  async function list(...types: readonly string[]): Promise<readonly OutageEvent[]> {
    const path = `/api/cluster/events?limit=1000&type=${types.join()}`;
    const { status, body } = await apps[0]!.send<{ items: OutageEvent[] }>('GET', path);
    expect(status).toBe(200);
    return body.items;
  }

  /** Outages of Redis since the event with this number. Waits until no other process can still record the same outage. */
  async function newRedisOutages(from: number): Promise<readonly OutageEvent[]> {
    await ready();
    await eventually(async () => expect((await list('redis-unavailable')).length).toBeGreaterThan(from));
    await sleep(2_000);
    return (await list('redis-unavailable')).slice(from);
  }

  it.each(['killed', 'frozen'])(
    'of Redis that was %s are one event of the whole cluster, with their times',
    async (what) => {
      await ready();
      const known = (await list('redis-unavailable')).length;
      const began = Date.now();
      if (what === 'killed') await redis.kill();
      else redis.pause();
      await sleep(5_000);
      const ended = Date.now();
      if (what === 'killed') await redis.start();
      else redis.resume();
      const [outage, ...others] = await newRedisOutages(known);
      expect(others).toEqual([]);
      expect(Date.parse(outage!.since)).toBeGreaterThanOrEqual(began);
      expect(Date.parse(outage!.until)).toBeGreaterThanOrEqual(ended);
      // A frozen server is noticed after a command has timed out.
      expect(seconds(outage!)).toBeGreaterThan(2);
      expect(seconds(outage!)).toBeLessThan((ended - began) / 1_000 + 4);
    },
    2 * TIMEOUT,
  );

  it(
    'of Redis during a short restart are one event',
    async () => {
      await ready();
      const known = (await list('redis-unavailable')).length;
      // Two masters may see two outages that are less than the difference of their clocks apart, 5 s, as one.
      await sleep(5_000);
      await redis.kill();
      // A connection that is open again at once is no outage.
      await sleep(500);
      await redis.start();
      expect(await newRedisOutages(known)).toHaveLength(1);
    },
    2 * TIMEOUT,
  );

  it.each(['killed', 'frozen'])(
    'of the database that was %s have an event at their begin and one at their end',
    async (what) => {
      await ready();
      const types = ['database-unavailable', 'database-available'];
      const known = (await list(...types)).length;
      if (what === 'killed') await postgres.kill();
      else postgres.pause();
      await eventually(async () => expect(await list(...types)).toHaveLength(known + 1));
      // The master has tried several times by then.
      await sleep(4_000);
      const [begin, ...none] = (await list(...types)).slice(known);
      expect(none).toEqual([]);
      expect(begin).toMatchObject({ type: 'database-unavailable', problem: expect.stringMatching(/./) });
      if (what === 'killed') await postgres.start();
      else postgres.resume();
      await eventually(async () => expect(await list(...types)).toHaveLength(known + 2));
      expect((await list(...types)).at(-1)).toMatchObject({ type: 'database-available', since: begin!.at });
    },
    3 * TIMEOUT,
  );
});
