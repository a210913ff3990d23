import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import {
  closeRedis,
  commandSettings,
  openRedis,
  SharedSubscriber,
  whenReady,
} from '@detector-cluster/election/redis';
import { ClientRedis } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clusterKeys } from '../shared/cluster-keys.js';
import { MasterCommandServer, type MasterCommand } from './master-command-server.js';
import { SubscriptionTrigger } from './subscription-trigger.js';
import { until } from '../../../../test/support/until.js';
import { patientSettings } from '../../../../test/support/patient-redis.js';

describe('commands to the master', () => {
  let redis: RedisService;
  let client: Redis;
  let publisher: Redis;
  let subscriber: SharedSubscriber;
  let server: MasterCommandServer;
  let received: MasterCommand[];
  let reconnects: number;
  const keys = clusterKeys('{test}:');

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  beforeEach(() => {
    received = [];
    reconnects = 0;
    client = openRedis(redis.url, { ...patientSettings, maxRetriesPerRequest: null });
    publisher = openRedis(redis.url, { ...commandSettings, connectionName: 'shared' });
    subscriber = new SharedSubscriber(redis.url);
    server = new MasterCommandServer({
      subscriber,
      keys,
      onCommand: (command) => received.push(command),
      onReconnected: () => reconnects++,
    });
  });
  afterEach(async () => {
    server.close();
    subscriber.close();
    closeRedis(publisher);
    closeRedis(client);
  });

  const names = async () => {
    const clients = (await client.client('LIST')) as string;
    return [...clients.matchAll(/ name=(\S+)/g)].map(([, name]) => name);
  };
  const listening = () =>
    until(async () => {
      const [, count] = (await client.pubsub('NUMSUB', keys.masterCommands).catch(() => ['', 0])) as [
        string,
        number,
      ];
      return Number(count) === 1;
    });

  it('come from the trigger, from any Nest client, and as flat JSON from any client', async () => {
    server.open();
    await listening();
    const trigger = new SubscriptionTrigger({ redis: redis.url, keyPrefix: '{test}:', processId: 'node-1' });
    trigger.triggerSubscriptionUpdate('camera.created', 7);
    await until(() => received.length === 1);
    expect(received[0]).toMatchObject({ reason: 'camera.created 7', triggeredBy: 'node-1' });

    const url = new URL(redis.url);
    const nest = new ClientRedis({ host: url.hostname, port: Number(url.port) });
    nest.emit(keys.masterCommands, { type: 'regenerate_subscriptions', reason: 'nest' });
    await until(() => received.length === 2);
    await client.publish(
      keys.masterCommands,
      '{"type":"regenerate_subscriptions","reason":"flat","data":{},"id":"x"}',
    );
    await until(() => received.length === 3);
    expect(received).toMatchObject([{ reason: 'camera.created 7' }, { reason: 'nest' }, { reason: 'flat' }]);
    trigger.triggerSessionUpdate('d1');
    await until(() => received.length === 4);
    expect(received[3]).toMatchObject({
      type: 'session_changed',
      displayIdentifier: 'd1',
      triggeredBy: 'node-1',
    });
    await until(() => trigger.sent === 2);
    expect((await names()).filter((name) => name === 'detector-cluster:trigger')).toHaveLength(1);
    await trigger.close();
    await until(async () => !(await names()).includes('detector-cluster:trigger'));
    await nest.close();
  });

  it('come from a trigger over a connection that it shares, and over its own before and after', async () => {
    server.open();
    await listening();
    await whenReady(publisher, 5_000);
    const trigger = new SubscriptionTrigger({ redis: redis.url, keyPrefix: '{test}:' });
    const reasons = () => received.map((command) => 'reason' in command && command.reason);
    trigger.triggerSubscriptionUpdate('before');
    await until(() => trigger.sent === 1);
    expect(await names()).toContain('detector-cluster:trigger');

    trigger.share(publisher, 'node-1');
    await until(async () => !(await names()).includes('detector-cluster:trigger'));
    trigger.triggerSubscriptionUpdate('shared');
    await until(() => received.length === 2);
    expect(received[1]).toMatchObject({ reason: 'shared', triggeredBy: 'node-1' });
    expect(await names()).not.toContain('detector-cluster:trigger');

    trigger.unshare();
    closeRedis(publisher);
    trigger.triggerSubscriptionUpdate('after');
    await until(() => received.length === 3);
    expect(reasons()).toEqual(['before', 'shared', 'after']);
    await trigger.close();
  });

  it('leave shared connections open and unchanged when both ends are closed', async () => {
    server.open();
    await listening();
    await whenReady(publisher, 5_000);
    const trigger = new SubscriptionTrigger({ redis: redis.url, keyPrefix: '{test}:' });
    trigger.share(publisher, 'node-1');
    trigger.triggerSubscriptionUpdate('camera.created');
    await until(() => received.length === 1);
    const listeners = publisher.eventNames().map((event) => publisher.listenerCount(event));
    await trigger.close();
    server.close();
    await until(
      async () => Number(((await client.pubsub('NUMSUB', keys.masterCommands)) as unknown[])[1]) === 0,
    );
    expect(await publisher.ping()).toBe('PONG');
    expect(publisher.eventNames().map((event) => publisher.listenerCount(event))).toEqual(listeners);
    let heard = '';
    subscriber.listen({ other: (message) => (heard = message) });
    await until(async () => (await client.publish('other', 'still here')) === 1);
    await until(() => heard === 'still here');
    trigger.triggerSubscriptionUpdate('ignored');
    expect([trigger.sent, trigger.failed]).toEqual([1, 0]);
  });

  it('are counted by kind when they are not understood, and have no effect', async () => {
    server.open();
    await listening();
    for (const text of [
      'garbage{',
      'null',
      '"text"',
      '[1]',
      '{"pattern":"other","data":{}}',
      '{"type":"dance"}',
    ])
      await client.publish(keys.masterCommands, text);
    await client.publish(keys.masterCommands, '{"type":"regenerate_subscriptions","reason":7}');
    await client.publish(keys.masterCommands, '{"type":"regenerate_subscriptions"}');
    await until(() => received.length === 1);
    expect(Object.fromEntries(server.invalid)).toEqual({
      'not-json': 1,
      'not-an-object': 3,
      'unknown-type': 2,
      'invalid-message': 1,
    });
  });

  it('arrive again after every restart of Redis, and the receiver learns of the gap', async () => {
    server.open();
    await listening();
    for (let restart = 1; restart <= 2; restart++) {
      await redis.restart({ downFor: 300 });
      await listening();
      await until(() => reconnects === restart);
      await client.publish(keys.masterCommands, '{"type":"regenerate_subscriptions"}');
      await until(() => received.length === restart);
    }
  });

  it('arrive also when Redis was unavailable at the start; a trigger without Redis never throws', async () => {
    await redis.kill();
    server.open();
    const trigger = new SubscriptionTrigger({ redis: redis.url, keyPrefix: '{test}:' });
    trigger.triggerSubscriptionUpdate('camera.created');
    await until(() => trigger.failed === 1);
    await redis.start();
    await listening();
    await until(() => {
      trigger.triggerSubscriptionUpdate('again');
      return received.length > 0;
    });
    await trigger.close();
  });

  it('closes at once while Redis is unavailable', async () => {
    await redis.kill();
    server.open();
    await sleep(100);
    server.close();
    await redis.start();
  });
});
