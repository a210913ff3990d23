import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  TRIGGER_MODES,
  type TriggersDatabase,
} from '../../../../../test/support/triggers-database.js';
import { SubscriptionTrigger } from '../../trigger/subscription-trigger.js';
import { subscriptionTriggers, triggersExtension } from '../subscription-triggers.js';
import { until } from '../../../../../test/support/until.js';

describe('publishing', () => {
  let database: TriggersDatabase;
  let redis: RedisService;
  beforeAll(async () => {
    [database, redis] = await Promise.all([openTriggersDatabase(), startRedis()]);
  });
  afterAll(() => Promise.all([database.close(), redis.stop()]));
  afterEach(() => {
    vi.restoreAllMocks();
  });

  describe.each(TRIGGER_MODES)('%s', (_name, transactionIds) => {
    it('a publisher that hangs, throws or rejects neither delays nor fails the write', async () => {
      const errors: unknown[] = [];
      const onError = (error: unknown) => {
        errors.push(error);
        throw new Error('the reporter fails too');
      };
      const failing = [
        () => new Promise(() => undefined),
        () => {
          throw new Error('at once');
        },
        async () => Promise.reject(new Error('later')),
      ];
      for (const publish of failing) {
        const client = database.plain.$extends(triggersExtension({ publish, onError }, { transactionIds }));
        await client.camera.create({ data: newCamera() });
        await client.$transaction(async (tx) => tx.camera.create({ data: newCamera() }));
        await client.$transaction([client.camera.create({ data: newCamera() })]);
      }
      await allPublished();
      expect(errors.map((error) => (error as Error).message)).toEqual([
        ...Array.from({ length: 3 }, () => 'at once'),
        ...Array.from({ length: 3 }, () => 'later'),
      ]);
    });
  });

  it('fails no write without Redis, and is logged once in each outage', async () => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const log = vi.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    const trigger = new SubscriptionTrigger({ redis: redis.url });
    const client = database.plain.$extends(subscriptionTriggers({ trigger }));
    let writes = 0;
    const write = () => {
      writes++;
      return client.camera.create({ data: newCamera() });
    };
    try {
      for (let outage = 1; outage <= 2; outage++) {
        await redis.kill();
        const failed = trigger.failed;
        for (let i = 0; i < 5; i++) await write();
        await client.$transaction(async (tx) => tx.camera.create({ data: newCamera() }));
        await client.$transaction([client.camera.create({ data: newCamera() })]);
        writes += 2;
        await until(() => trigger.failed === failed + 7);
        expect(warn).toHaveBeenCalledTimes(outage);
        await redis.start();
        const sent = trigger.sent;
        while (trigger.sent === sent) {
          await write();
          await allPublished();
        }
        expect(log).toHaveBeenCalledTimes(outage);
        await until(() => trigger.sent + trigger.failed === writes);
      }
      expect(warn.mock.calls[0]![0]).toMatch(
        /^cannot notify the master of changes \(.+\); it reads them within 30 s/,
      );
    } finally {
      await trigger.close();
    }
  });
});
