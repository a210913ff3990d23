import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { SubscriptionTrigger } from './subscription-trigger.js';

const TIMEOUT = 20_000;
const prefix = '{given}:';

describe('a trigger passed to the module', () => {
  let server: RedisService;
  let redis: Redis;
  let subscriber: Redis;
  let heard: string[];
  let trigger: SubscriptionTrigger | undefined;
  let one: ClusterProcess | undefined;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    subscriber = redis.duplicate();
    heard = [];
    subscriber.on('message', (_channel, message) => heard.push(JSON.parse(message).data.reason));
    await subscriber.subscribe(clusterKeys(prefix).masterCommands);
  }, 60_000);
  afterEach(async () => {
    await trigger?.close();
    await one?.stop();
  });
  afterAll(async () => {
    for (const connection of [redis, subscriber]) connection.disconnect();
    await server.stop();
  });

  const ownConnections = async () => {
    const clients = (await redis.client('LIST')) as string;
    return clients.split('\n').filter((client) => client.includes(' name=detector-cluster:trigger ')).length;
  };
  const announce = async (reason: string) => {
    trigger!.triggerSubscriptionUpdate(reason);
    await eventually(reason, TIMEOUT, () => heard.includes(reason));
  };

  it('needs no connection while the application runs, and keeps working after it has ended', async () => {
    trigger = new SubscriptionTrigger({ redis: server.url, keyPrefix: prefix });
    await announce('before');
    expect(await ownConnections()).toBe(1);
    one = await ClusterProcess.start({ redis: server.url, prefix, workers: [], trigger });
    expect(one.app.get(SubscriptionTrigger)).toBe(trigger);
    await eventually('its own connection has ended', TIMEOUT, async () => (await ownConnections()) === 0);
    await announce('with the application');
    expect(await ownConnections()).toBe(0);
    await one.stop();
    await announce('after it');
    expect(await ownConnections()).toBe(1);
    expect(trigger.failed).toBe(0);
  }, 60_000);

  it('is otherwise created and closed by the module', async () => {
    one = await ClusterProcess.start({ redis: server.url, prefix, workers: [] });
    trigger = one.app.get(SubscriptionTrigger);
    await announce('of the module');
    expect(await ownConnections()).toBe(0);
    trigger!.triggerSubscriptionUpdate('last');
    await one.stop();
    await eventually('the last message', TIMEOUT, () => heard.includes('last'));
    await trigger!.close();
    trigger!.triggerSubscriptionUpdate('ignored');
    expect([trigger!.sent, trigger!.failed, await ownConnections()]).toEqual([2, 0, 0]);
  }, 60_000);
});
