import { describe, expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { partitionLog } from '../log/log-address.js';
import { routerDefaults } from './router-context.js';
import { WrittenLog } from './written-log.js';

describe('WrittenLog', () => {
  it('names the origin of a numbered detection, except of one that is replayed', () => {
    const log = new WrittenLog(partitionLog(deliveryKeys(''), 0), 0);
    const detection = {
      detectionId: '9f86d081884c7d65-7',
      workerUrl: 'ws://w',
      subscriptionIdentifier: 'd;c 1',
      receivedAt: 0,
      frame: '{}',
    };
    const push = (isNumbered: boolean, redelivered: boolean) =>
      log.queue.push({ detection: { ...detection, isNumbered }, redelivered, bytes: 2, trace: undefined });
    push(true, false);
    push(true, true);
    push(false, false);
    expect(log.compose(1, 10, 1_000, routerDefaults).origins).toEqual(['9f86d081884c7d65-7 d;c 1', '', '']);
  });
});
