import { expect, it } from 'vitest';
import type { PlanWorker } from './plan.types.js';
import { LoadModel } from './load-model.js';

/** The formula of the source document: it adds a count to percentages, and missing metrics count as 0. */
const documented = (streams: number, cpu: number | null, memory: number | null): number =>
  streams * 0.4 + (cpu ?? 0) * 0.35 + (memory ?? 0) * 0.25;

const load = (streams: number, capacity: number, cpu: number | null, memory: number | null): number =>
  Number(new LoadModel({ cpu, memory } as PlanWorker, capacity, streams).at(streams).toFixed(3));

// docs/source-documents.md has these numbers.
it('prefers the emptier worker where the documented formula prefers a full one with less capacity', () => {
  expect([documented(100, 50, 50), documented(49, 50, 50)].map((score) => score.toFixed(1))).toEqual([
    '70.0',
    '49.6',
  ]);
  expect([load(100, 400, 50, 50), load(49, 50, 50, 50)]).toEqual([0.4, 0.692]);
});

it('does not treat a worker that reports nothing as idle', () => {
  expect([documented(90, null, null), documented(60, 30, 40)].map((score) => score.toFixed(1))).toEqual([
    '36.0',
    '44.5',
  ]);
  expect([load(90, 100, null, null), load(60, 100, 30, 40)]).toEqual([0.9, 0.445]);
});
