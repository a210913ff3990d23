import { expect, it } from '@jest/globals';
import { formatAccepted, formatDelivery, formatStall, parseJournalLine } from './journal-line.js';

it('reads a delivery as it was written', () => {
  const delivery = {
    process: 4711,
    detectionId: '1-1-7',
    subscriptionIdentifier: 'display;camera',
    workerUrl: 'ws://worker',
    sequence: 7,
    at: 1_700_000_000_000,
    startedAt: 9_007_199_254_740_993n,
  };
  expect(parseJournalLine(formatDelivery(delivery).trimEnd())).toEqual({ kind: 'delivery', delivery });
});

it('reads an accepted detection as it was written', () => {
  const accepted = { process: 4711, detectionId: '1-1-7' };
  expect(parseJournalLine(formatAccepted(accepted).trimEnd())).toEqual({ kind: 'accepted', accepted });
});

it('reads a stall as it was written', () => {
  const stall = { process: 4711, at: 1_700_000_000_000, ms: 812, waited: 790 };
  expect(parseJournalLine(formatStall(stall).trimEnd())).toEqual({ kind: 'stall', stall });
});

it.each([
  'D 1 2 3',
  'D x 1-1-7 d;c ws://worker 7 1 2',
  'D 1 1-1-7 d;c ws://worker x 1 2',
  'D 1 1-1-7 d;c ws://worker 7 1 2.5',
  'A 1 1-1-7 8',
  'A x 1-1-7',
  'S 1 2 3',
  'S 1 2 3 -4',
  'B 1 1-1-7',
])('rejects the line "%s"', (line) => {
  expect(() => parseJournalLine(line)).toThrow(`not a line of the journal: "${line}"`);
});
