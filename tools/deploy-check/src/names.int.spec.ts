import { eventually } from '@detector-cluster/election/testing';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../apps/cms-backend/src/test-app.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/create-test-database.js';
import { readAlertRules } from './alert-rules.js';
import { queriesOf, readDashboard } from './grafana-dashboard.js';
import { catalogueOf, type MetricCatalogue } from './metric-catalogue.js';
import { examine } from './promql-problems.js';

const TIMEOUT = 60_000;

describe('names of metrics and labels', () => {
  let database: TestDatabase;
  let api: TestApp;
  let catalogue: MetricCatalogue;

  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApp({ DATABASE_URL: database.url, REDIS_URL: process.env.REDIS_URL });
    const registry = api.app.get(Registry, { strict: false });
    catalogue = await eventually('the metrics of a master', TIMEOUT, async () => {
      const found = await catalogueOf(registry);
      const seen = [
        found.get('detector_cluster_workers')?.values.get('state'),
        found.get('master_election_transitions_total')?.values.get('to'),
      ];
      return seen.every((values) => values !== undefined && values.size > 0) && found;
    });
  }, TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  }, TIMEOUT);

  it.each(readAlertRules())('the alert $alert uses those of the service', ({ expr, labels, annotations }) => {
    const verdict = examine(expr, catalogue);
    expect(verdict.problems).toEqual([]);
    const templates = [...Object.values(labels), ...Object.values(annotations)].join('\n');
    const used = [...templates.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!);
    expect(used.filter((label) => !verdict.labels.has(label))).toEqual([]);
  });

  it.each(queriesOf(readDashboard()))(
    'the dashboard uses those of the service: $where, $expression',
    ({ expression, legend }) => {
      const verdict = examine(expression, catalogue);
      expect(verdict.problems).toEqual([]);
      const used = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      expect(used.filter((label) => !verdict.labels.has(label))).toEqual([]);
    },
  );

  it('are all on the dashboard', () => {
    const shown = queriesOf(readDashboard())
      .map(({ expression }) => expression)
      .join('\n');
    const ours = [...catalogue.keys()].filter((name) => /^(?:detector_cluster|master_election)_/.test(name));
    // For a histogram, its buckets are sufficient.
    const wanted = ours.filter((name) => !/_(?:sum|count)$/.test(name));
    expect(wanted.length).toBeGreaterThan(25);
    expect(wanted.filter((name) => !new RegExp(`\\b${name}\\b`).test(shown))).toEqual([]);
  });
});
