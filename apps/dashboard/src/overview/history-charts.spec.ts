import type { ClusterHistory, HistoryPoint } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { chartsOf } from './history-charts.js';

const STEP = 5_000;
const point = (seconds: number, more: Partial<HistoryPoint> = {}): HistoryPoint => ({
  at: new Date(seconds * 1_000).toISOString(),
  detectionsPerSecond: 2,
  lagMs: 1_234.4,
  meanLoad: 30,
  highestLoad: 70,
  loads: [],
  subscriptions: { active: 6, pending: 1, recovering: 0, failed: 0 },
  failovers: 0,
  ...more,
});
const history = (points: HistoryPoint[], workers: string[] = []): ClusterHistory => ({
  range: '15m',
  from: new Date(0).toISOString(),
  to: new Date(900_000).toISOString(),
  step: STEP,
  workers,
  points,
});
const chart = (of: ClusterHistory, name: string) => chartsOf(of).find((one) => one.name === name)!;

describe('the charts of a history', () => {
  it('show the last figures as text', () => {
    const all = chartsOf(history([point(0), point(5)]));
    expect(all.map(({ name, latest }) => [name, latest])).toEqual([
      ['Detections per second', '2.0'],
      ['Lag', '1,234 ms'],
      ['Load', 'highest 70 %'],
      ['Subscriptions by status', '6 of 7 active'],
    ]);
    expect(chartsOf(history([])).map(({ latest }) => latest)).toEqual(['–', '–', '–', '–']);
  });

  it('have a gap where no master recorded anything', () => {
    const { times, lines } = chart(history([point(0), point(5), point(60)]), 'Lag');
    expect(times).toEqual([0, 5, 10, 60]);
    expect(lines[0]!.values).toEqual([1_234.4, 1_234.4, null, 1_234.4]);
  });

  it('show the mean and the highest load, and name the workers far above the mean', () => {
    const workers = ['ws://w1', 'ws://w2', 'ws://w3', 'ws://w4', 'ws://w5'];
    const labelled = (loads: (number | null)[]) =>
      chart(history([point(0, { loads })], workers), 'Load').lines.map(({ label, values }) => [
        label,
        ...values,
      ]);
    const always = [
      ['Mean', 30],
      ['Highest', 70],
    ];
    expect(labelled([1, 54, null, 40, 20])).toEqual(always);
    expect(labelled([1, 55, 70, 60, null])).toEqual([...always, ['w3', 70], ['w4', 60]]);
  });
});
