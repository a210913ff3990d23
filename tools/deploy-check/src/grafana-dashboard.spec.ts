import { describe, expect, it } from 'vitest';
import { queriesOf, readDashboard } from './grafana-dashboard.js';

const dashboard = readDashboard();

describe('the Grafana dashboard', () => {
  it('uses the chosen data source in every panel', () => {
    const panels = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(panels.length).toBeGreaterThan(20);
    expect(new Set(panels.map(({ datasource }) => datasource?.uid))).toEqual(new Set(['${datasource}']));
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
  });

  it('has the schema of Grafana 11', () => {
    expect(dashboard.schemaVersion).toBe(39);
  });

  it('filters every query by every applicable variable', () => {
    for (const { where, expression } of queriesOf(dashboard).filter((query) => !query.where.startsWith('$')))
      for (const [selector] of expression.matchAll(/\w+\{[^}]*\}/g)) {
        expect([where, selector]).toEqual([where, expect.stringContaining('cluster=~"$cluster"')]);
        expect([where, selector]).toEqual([where, expect.stringContaining('job=~"$job"')]);
      }
  });

  it('uses only its own variables', () => {
    const known = dashboard.templating.list.map(({ name }) => name);
    const used = queriesOf(dashboard).flatMap(({ expression }) =>
      [...expression.matchAll(/\$(\w+)/g)].map(([, name]) => name!),
    );
    expect(known).toEqual(expect.arrayContaining([...new Set(used)]));
  });

  it('has panels with unique ids that do not overlap', () => {
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, x < 24, taken.has(`${x},${y}`)]).toEqual([title, true, false]);
          taken.add(`${x},${y}`);
        }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});
