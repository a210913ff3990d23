import { expect, it } from '@jest/globals';
import { formatDelivery, parseDelivery } from './journal-line.js';

it('a line of the journal is read as it was written', () => {
  const delivery = {
    process: 4711,
    detectionId: '1-1-7',
    subscriptionIdentifier: 'display;camera',
    workerUrl: 'ws://worker',
    sequence: 7,
    at: 1_700_000_000_000,
  };
  expect(parseDelivery(formatDelivery(delivery).trimEnd())).toEqual(delivery);
});

it.each(['1 2 3', 'x 1-1-7 d;c ws://worker 7 1', '1 1-1-7 d;c ws://worker x 1'])('%s is none', (line) => {
  expect(() => parseDelivery(line)).toThrow(`not a line of the journal: "${line}"`);
});
