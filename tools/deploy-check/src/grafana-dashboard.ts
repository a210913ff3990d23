import { readText } from './repository.js';

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

export interface Dashboard {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly definition?: string;
    }[];
  };
  readonly annotations: {
    readonly list: readonly { readonly name: string; readonly expr?: string; readonly textFormat?: string }[];
  };
}

/** An expression of the dashboard, and the legend text for the labels of its result. */
export interface DashboardQuery {
  readonly where: string;
  /** The expression for Prometheus, with times in place of Grafana's time variables. */
  readonly expression: string;
  readonly legend: string;
}

export function readDashboard(): Dashboard {
  return JSON.parse(readText('deploy/grafana/detector-cluster.json')) as Dashboard;
}

/** Every expression of panels, variables and annotations. */
export function queriesOf(dashboard: Dashboard): DashboardQuery[] {
  const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expression: expr, legend: legendFormat })),
  );
  const variables = dashboard.templating.list.flatMap(({ name, definition }) => {
    const found = /^label_values\((.*), (\w+)\)$/.exec(definition ?? '');
    return found ? [{ where: `$${name}`, expression: found[1]!, legend: `{{${found[2]!}}}` }] : [];
  });
  const annotations = dashboard.annotations.list.flatMap(({ name, expr, textFormat = '' }) =>
    expr === undefined ? [] : [{ where: name, expression: expr, legend: textFormat }],
  );
  return [...panels, ...variables, ...annotations].map((query) => ({
    ...query,
    expression: query.expression
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$__range', '1h')
      .replaceAll('$__interval', '1m'),
  }));
}
