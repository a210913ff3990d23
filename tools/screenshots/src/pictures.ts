/** One picture of the dashboard, written as `<name>.png`. */
export interface Picture {
  readonly name: string;
  /** Page of the dashboard. A `{worker}` stands for the URL of the first worker, encoded. */
  readonly route: string;
  readonly theme: 'light' | 'dark';
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** A button to press first, which stops new detections from pushing the shown ones away. */
  readonly press?: string;
}

const WIDE = { theme: 'light', width: 1_280, height: 860 } as const;

/** Each page of the dashboard with its name in the names of files. */
const ROUTES: readonly (readonly [name: string, route: string, height?: number])[] = [
  ['cameras', 'cameras'],
  ['subscriptions', 'subscriptions', 620],
  ['plan', 'plan'],
  ['events', 'events'],
  ['detections', 'detections'],
  ['search', 'detections?view=search&range=1h'],
  ['dead-letters', 'dead-letters', 620],
  ['manage', 'manage'],
  ['worker', 'worker?url={worker}', 1_150],
];

/** Of a cluster in which everything runs. */
export const GOOD: readonly Picture[] = [
  { ...WIDE, name: 'dashboard-light', route: 'overview', height: 1_230 },
  { ...WIDE, name: 'dashboard-dark', route: 'overview', height: 1_230, theme: 'dark' },
  { ...WIDE, name: 'dashboard-narrow', route: 'overview', width: 375, height: 812 },
  ...ROUTES.map(([name, route, height = WIDE.height]) => ({
    ...WIDE,
    name: `dashboard-${name}`,
    route,
    height,
    ...(route === 'detections' && { press: 'Pause' }),
  })),
];

/** Of a cluster whose workers are gone. */
export const BAD: readonly Picture[] = [
  { ...WIDE, name: 'trouble-overview', route: 'overview', height: 1_230 },
  ...ROUTES.map(([name, route, height = WIDE.height]) => ({
    ...WIDE,
    name: `trouble-${name}`,
    route,
    height,
  })),
];
