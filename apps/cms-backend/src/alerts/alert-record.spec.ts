import { describe, expect, it } from 'vitest';
import { factsOf, oneAway } from './alerts.fixture.js';
import {
  advance,
  type AlertRecord,
  count,
  idOf,
  MAX_WAITING,
  type Notice,
  readAlertRecord,
  type ReceiverName,
} from './alert-record.js';
import { COUNT_LIMITS } from './conditions.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const BOTH: readonly ReceiverName[] = ['alertmanager', 'webhook'];
const EMPTY = readAlertRecord(null);
const well = factsOf();

/** The record after what the cluster was at each minute. */
const after = (...minutes: readonly (typeof well)[]): AlertRecord =>
  minutes.reduce(
    (record, facts, minute) =>
      advance(readAlertRecord(JSON.stringify(record)), facts, BOTH, NOW + minute * MINUTE),
    EMPTY,
  );

const away = (minutes: number) => Array<typeof well>(minutes).fill(oneAway);

describe('advance', () => {
  it('fires when the condition has held for as long as its rule demands, and says so once', () => {
    expect(after(...away(5))).toMatchObject({ held: [{ since: NOW, fires: false }], waiting: [], ended: [] });
    const fired = after(...away(6));
    expect(fired.held).toMatchObject([{ name: 'DetectorClusterWorkersAway', since: NOW, fires: true }]);
    expect(fired.waiting.map(idOf)).toEqual([`DetectorClusterWorkersAway-${NOW}-firing`]);
    expect(after(...away(20)).waiting).toEqual(fired.waiting);
  });

  it('says once that an alert is over, and forgets one that did not fire', () => {
    expect(after(...away(5), well)).toEqual(after(well));
    const over = after(...away(6), well);
    expect(over.held).toEqual([]);
    expect(over.ended).toMatchObject([{ since: NOW, endedAt: NOW + 6 * MINUTE }]);
    expect(over.waiting.map(idOf)).toEqual([
      `DetectorClusterWorkersAway-${NOW}-firing`,
      `DetectorClusterWorkersAway-${NOW}-resolved`,
    ]);
  });

  it('begins again after the condition did not hold', () => {
    expect(after(...away(4), well, ...away(4)).held).toMatchObject([
      { since: NOW + 5 * MINUTE, fires: false },
    ]);
  });

  it('keeps what is over for 15 minutes, unless it fires again', () => {
    const minutes = Array<typeof well>(15).fill(well);
    expect(after(...away(6), ...minutes).ended).toHaveLength(1);
    expect(after(...away(6), ...minutes, well).ended).toEqual([]);
    expect(after(...away(6), well, ...away(6)).ended).toEqual([]);
  });

  it('keeps since when an alert holds if the clock of the next master is behind, and never after now', () => {
    const before = after(...away(6));
    expect(advance(before, oneAway, BOTH, NOW - MINUTE).held).toMatchObject([
      { since: NOW - MINUTE, fires: true },
    ]);
  });

  it('keeps nothing for a webhook that is not configured', () => {
    const record = advance(after(...away(6)), well, ['alertmanager'], NOW + 6 * MINUTE);
    expect(record).toMatchObject({ waiting: [], receivers: { alertmanager: {} } });
    expect(Object.keys(record.receivers)).toEqual(['alertmanager']);
  });

  it('drops the oldest notices of a webhook that takes none, and counts them', () => {
    const notice: Notice = { name: 'DetectorClusterMovesFail', summary: '', since: 1, endedAt: 2 };
    const many = Array.from({ length: MAX_WAITING }, () => notice);
    const record = advance({ ...after(...away(5)), waiting: many }, oneAway, BOTH, NOW + 5 * MINUTE);
    expect(record.waiting).toHaveLength(MAX_WAITING);
    expect(record.waiting.at(-1)).toMatchObject({ name: 'DetectorClusterWorkersAway' });
    expect(record.dropped).toBe(1);
  });
});

describe('count', () => {
  it('keeps the newest times, one more than the limit', () => {
    const first = count(EMPTY, { failed: 3 }, NOW);
    expect(first.counted).toEqual({ masters: [], moved: [], failed: [NOW, NOW, NOW] });
    const { failed, moved } = count(first, { failed: 4, moved: 1_000_000 }, NOW + 1).counted;
    expect(failed).toEqual([NOW, NOW, ...Array(4).fill(NOW + 1)]);
    expect(moved).toEqual(Array(COUNT_LIMITS.moved + 1).fill(NOW + 1));
  });
});

describe('readAlertRecord', () => {
  it.each([null, '', 'x', '{}', '[]', '{"held":[{"name":"Other"}]}'])(
    'takes %j for an empty record',
    (text) => {
      expect(readAlertRecord(text)).toEqual(EMPTY);
    },
  );
});
