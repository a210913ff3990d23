import { appendFileSync, existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal, type JournalLine } from './journal.js';

const delivery = {
  process: 4711,
  detectionId: '1-1-7',
  subscriptionIdentifier: 'display;camera',
  workerUrl: 'ws://worker',
  sequence: 7,
  takenAt: 1_699_999_999_990,
  at: 1_700_000_000_000,
  startedAt: 123_456_789_012_345,
};
const stall = { process: 4711, at: 1_700_000_000_000, ms: 812, waited: 790 };
let journal: Journal;
const write = (...lines: JournalLine[]) =>
  appendFileSync(journal.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

beforeEach(async () => {
  journal = await Journal.create();
});

afterEach(() => journal.close());

it('reads what has been written since the last time', () => {
  write({ delivery }, { accepted: '1-1-7' });
  journal.read();
  write({ stall }, { delivery: { ...delivery, sequence: 8 } });
  journal.read();
  expect(journal.deliveries.map(({ sequence }) => sequence)).toEqual([7, 8]);
  expect(journal.deliveries[0]).toEqual(delivery);
  expect([...journal.accepted]).toEqual(['1-1-7']);
  expect(journal.stalls).toEqual([stall]);
});

it('leaves no file', async () => {
  const { path } = journal;
  await journal.close();
  expect(existsSync(path)).toBe(false);
  journal = await Journal.create();
});
