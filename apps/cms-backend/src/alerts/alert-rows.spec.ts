import { describe, expect, it } from 'vitest';
import { readAlertRecord } from './alert-record.js';
import { alertRows, type SeenSources } from './alert-rows.js';

const SINCE = Date.UTC(2026, 0, 1, 12);
const up = { ok: true, since: 0, problem: null };
const down = { ok: false, since: SINCE, problem: 'x' };
const well: SeenSources = { redis: up, database: up, master: up, elected: true };

const shortNames = (more: Partial<SeenSources>) =>
  Object.keys(alertRows(readAlertRecord(null), { ...well, ...more })).map((name) =>
    name.replace('DetectorCluster', ''),
  );

describe('alertRows', () => {
  it.each([
    [{}, []],
    [{ redis: down }, ['ProcessCutOff']],
    [{ database: down }, ['DesiredStateUnreadable']],
    [{ master: down, elected: false }, ['NoMaster']],
    [{ master: down }, ['StateUnknown']],
  ] as const)('%j: %j', (sources, names) => {
    expect(shortNames(sources)).toEqual(names);
  });

  it('fires when the rule has waited long enough', () => {
    const rows = alertRows(readAlertRecord(null), { ...well, master: down, elected: false });
    expect(rows).toMatchObject({
      DetectorClusterNoMaster: {
        severity: 'critical',
        since: '2026-01-01T12:00:00.000Z',
        firesAt: '2026-01-01T12:01:00.000Z',
      },
    });
  });
});
