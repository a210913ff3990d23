import { VirtualClock } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { partitionLogs } from '../log/log-address.js';
import { Acknowledger } from './acknowledger.js';
import { consumerDefaults } from './consumer-context.js';
import { HeldLog } from './held-log.js';

const warnings: string[] = [];
const note = ({ message }: Error) => void warnings.push(message);

describe('Acknowledger', () => {
  beforeEach(() => void process.on('warning', note));
  afterEach(() => void process.off('warning', note));

  it('causes no warning of a leak while each of many logs has calls of its own', async () => {
    const clock = new VirtualClock(1_000);
    let confirmed = 0;
    const acknowledger = new Acknowledger({
      options: consumerDefaults,
      clock,
      onEvent: () => undefined,
      signal: new AbortController().signal,
      callPerLog: true,
      store: {
        acknowledge: (calls) => {
          confirmed += calls.length;
          return Promise.resolve(calls.map(() => 'owner'));
        },
        deadLetter: () => Promise.reject(new Error('no detection fails here')),
      },
      onAnswered: () => undefined,
      onHandOver: () => undefined,
      onRefused: () => undefined,
    });
    const logs = partitionLogs(deliveryKeys('{test}:'), 32);
    for (const log of logs) acknowledger.confirm(new HeldLog({ log, clock, processId: 'a', epoch: '1.1' }));
    await new Promise(setImmediate);
    acknowledger.close();
    expect({ confirmed, warnings }).toEqual({ confirmed: logs.length, warnings: [] });
  });
});
