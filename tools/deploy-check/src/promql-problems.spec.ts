import { describe, expect, it } from 'vitest';
import type { MetricCatalogue } from './metric-catalogue.js';
import { examine } from './promql-problems.js';

const catalogue: MetricCatalogue = new Map([
  ['up', { labels: new Set<string>(), values: new Map() }],
  ['workers', { labels: new Set(['state']), values: new Map([['state', new Set(['Ready', 'Offline'])]]) }],
  ['lag_bucket', { labels: new Set(['le']), values: new Map() }],
]);

const problems = (expression: string) => examine(expression, catalogue).problems;
const labels = (expression: string) => [...examine(expression, catalogue).labels].sort();

describe('an expression of PromQL', () => {
  it.each([
    'up == 0 and on (job) workers',
    'sum by (job, state) (rate(workers{job=~"$job", state=~"Ready|Offline"}[5m])) > 0.5',
    'histogram_quantile(0.99, sum by (le, job) (rate(lag_bucket[5m]))) > 1',
    'changes((max by (job) (workers))[1h:1m]) > 6',
    'absent(up) or vector(0)',
    '-(workers offset 5m) unless on (job) up',
  ])('is good: %s', (expression) => {
    expect(problems(expression)).toEqual([]);
  });

  it.each([
    ['worker', 'there is no metric worker'],
    ['sum(rate(workers_total[5m])) / sum(workers)', 'there is no metric workers_total'],
    ['workers{status="Ready"}', 'workers has no label status'],
    ['workers{state="Gone"}', 'state of workers is never Gone'],
    ['workers{state=~"Ready|Gone"}', 'state of workers is never Gone'],
    ['sum by (status) (workers)', 'there is no label status to group or to match by'],
    ['up and on (state) workers', 'there is no label state to group or to match by'],
    ['histogram_quantile(0.99, sum by (job) (lag_bucket))', 'histogram_quantile needs the label le'],
    ['sum(workers', 'is not PromQL at character 11'],
  ])('%s: %s', (expression, problem) => {
    expect(problems(expression)).toEqual([problem]);
  });

  it.each([
    ['workers', ['cluster', 'instance', 'job', 'namespace', 'state']],
    ['sum by (job, state) (workers) > 1', ['job', 'state']],
    ['sum(workers)', []],
    ['absent(up)', []],
    ['histogram_quantile(0.5, sum by (le, job) (lag_bucket))', ['job']],
    ['2 * max by (job) (workers)', ['job']],
  ])('%s results in the labels %j', (expression, found) => {
    expect(labels(expression)).toEqual(found);
  });
});
