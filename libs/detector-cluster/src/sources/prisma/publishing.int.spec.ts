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
import { closeRedis } from '@detector-cluster/election/redis';
import { openPatientRedis } from '../../../../../test/support/patient-redis.js';
import { clusterKeys } from '../../shared/cluster-keys.js';
import { SubscriptionTrigger } from '../subscription-trigger.js';
import { subscriptionTriggers, triggersExtension } from './subscription-triggers.js';
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

  describe('of a trigger that is closed right after a write', () => {
    it.each([
      [1, 0],
      [3, 0],
      [1, 1],
      [3, 2],
    ])('sends the announcements of all %i writes, also after %i earlier ones', async (last, earlier) => {
      const subscriber = openPatientRedis(redis.url);
      const keyPrefix = `close-${last}-${earlier}:`;
      let heard = 0;
      subscriber.on('message', () => heard++);
      await subscriber.subscribe(clusterKeys(keyPrefix).masterCommands);
      const trigger = new SubscriptionTrigger({ redis: redis.url, keyPrefix });
      const client = database.plain.$extends(subscriptionTriggers({ trigger }));
      for (let i = 0; i < earlier; i++) await client.camera.create({ data: newCamera() });
      await until(() => trigger.sent === earlier);
      for (let i = 0; i < last; i++) await client.camera.create({ data: newCamera() });
      await trigger.close();
      expect([trigger.sent, trigger.failed]).toEqual([earlier + last, 0]);
      await until(() => heard === earlier + last);
      trigger.triggerSubscriptionUpdate('ignored');
      await trigger.close();
      expect([trigger.sent, trigger.failed]).toEqual([earlier + last, 0]);
      closeRedis(subscriber);
    });

    it('ends although Redis does not answer, and counts nothing as sent', async () => {
      vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const trigger = new SubscriptionTrigger({ redis: redis.url });
      trigger.triggerSubscriptionUpdate('one');
      await until(() => trigger.sent === 1);
      redis.pause();
      trigger.triggerSubscriptionUpdate('two');
      await trigger.close();
      expect([trigger.sent, trigger.failed]).toEqual([1, 1]);
      redis.resume();
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
