import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomPrefix } from '../../../../../test/support/random-prefix.js';
import { watchCommands } from '../../../../../test/support/watch-commands.js';
import { eventually, TIMEOUT } from '../../eventually.fixture.js';
import { useTestApp } from '../../test-app.fixture.js';
import { PageClient } from '../page-client.fixture.js';
import { pulseChannel } from '../pulse/pulse-listener.js';

/** Several ticks. Milliseconds. */
const WHILE = 3_000;

/** Keys that are read only for a page. The master reads other keys by itself. */
const READS = [
  'hscan worker:connections',
  'hscan worker:assignments',
  'hscan worker:skipped_displays',
  'hscan worker:actual_subscriptions',
  'xrevrange worker:events',
  'xrange worker:events',
];

describe('while no page is open', () => {
  const prefix = `${randomPrefix()}:`;
  const api = useTestApp({ KEY_PREFIX: prefix });
  let redis: Redis;
  let endWatch: (() => void) | undefined;
  let commands: string[] = [];

  beforeAll(async () => {
    redis = new Redis(process.env.REDIS_URL!);
    await eventually(async () => {
      expect((await api.send('GET', '/health/ready')).body).toMatchObject({ status: 'ok' });
      // The initial reads of the master come soon after.
      expect(await redis.hlen(`${prefix}worker:assignments`)).toBeGreaterThan(0);
    });
    endWatch = await watchCommands(process.env.REDIS_URL!, ({ name, args: [key] }) => {
      if (key?.startsWith(prefix)) commands.push(`${name} ${key.slice(prefix.length)}`);
    });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    endWatch?.();
    redis.disconnect();
  }, TIMEOUT);

  const reads = () => READS.filter((command) => commands.includes(command));

  async function expectQuiet(): Promise<void> {
    commands = [];
    await sleep(WHILE);
    expect(reads()).toEqual([]);
    // Shows that the monitor works: the process still reports its state.
    expect(commands).toContain('publish dashboard:pulse');
  }

  it(
    'the process reads nothing, also after a page was open',
    async () => {
      await eventually(expectQuiet);
      const pages = [await PageClient.open(api.url), await PageClient.open(api.url)];
      await eventually(async () => expect(reads()).toEqual(READS));
      await pages[0]!.close();
      commands = [];
      await sleep(WHILE);
      expect(reads().length).toBeGreaterThan(0);
      await pages[1]!.close();
      await eventually(expectQuiet);
    },
    3 * TIMEOUT,
  );

  it(
    'the metrics show that, and count messages that are not pulses',
    async () => {
      const metric = async (name: string) =>
        new RegExp(`^cms_backend_dashboard_${name} (.*)$`, 'm').exec(
          await (await fetch(`${api.url}/metrics`)).text(),
        )?.[1];
      expect(await metric('pages')).toBe('0');
      const page = await PageClient.open(api.url);
      await eventually(async () => expect(await metric('pages')).toBe('1'));
      await redis.publish(
        pulseChannel({ cluster: { keyPrefix: prefix }, redis: process.env.REDIS_URL! }),
        'rubbish',
      );
      await eventually(async () => expect(await metric('ignored_pulses_total')).toBe('1'));
      await page.close();
      await eventually(async () => expect(await metric('pages')).toBe('0'));
      expect(await metric('ignored_pulses_total')).toBe('1');
    },
    2 * TIMEOUT,
  );
});
