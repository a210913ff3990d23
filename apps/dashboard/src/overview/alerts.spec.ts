import type { AlertRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { alertsOf } from './alerts.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const isoOf = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

const row = (name: string, firesAt: number, severity: AlertRow['severity'] = 'warning'): AlertRow => ({
  name,
  severity,
  summary: '',
  workerUrl: null,
  since: isoOf(-10),
  firesAt: isoOf(firesAt),
});

describe('alertsOf', () => {
  it('has first what fires, and of that the critical ones', () => {
    const rows = [row('a', 5, 'critical'), row('b', 0), row('c', -5, 'critical'), row('d', 1)];
    expect(alertsOf(rows, NOW).map(({ name, firesIn }) => [name, firesIn])).toEqual([
      ['c', 0],
      ['b', 0],
      ['a', 300_000],
      ['d', 60_000],
    ]);
  });

  it('leads to the worker, to the page about the alert, or to the overview', () => {
    const name = 'DetectorClusterSubscriptionsFailed';
    const hrefs = alertsOf([{ ...row('a', 0), workerUrl: 'ws://a' }, row(name, 0), row('other', 0)], NOW);
    expect(hrefs.map(({ href }) => href)).toEqual([
      '#/worker?url=ws%3A%2F%2Fa',
      '#/subscriptions?status=failed',
      '#/overview',
    ]);
  });

  it('shows an alert whose times cannot be read, as one that fires', () => {
    expect(alertsOf([{ ...row('a', 0), since: '', firesAt: '' }], NOW)).toMatchObject([
      { since: null, firesIn: 0 },
    ]);
  });
});
