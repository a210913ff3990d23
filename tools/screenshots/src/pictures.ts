/** One picture of the dashboard, written as `<name>.png`. */
export interface Picture {
  readonly name: string;
  /** Page of the dashboard. A `{worker}` stands for the URL of the first worker, encoded. */
  readonly route: string;
  readonly theme: 'light' | 'dark';
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the picture shows all of the page, however long it is. */
  readonly whole?: boolean;
  /** A button to press first, which stops new detections from pushing the shown ones away. */
  readonly press?: string;
}

/** Pages whose lists are long. Their pictures show the beginning. */
const LONG: readonly string[] = ['detections', 'search'];

/** Ends between two rows of detections. */
const TWO_ROWS = 958;

const WIDE = { theme: 'light', width: 1_280, height: 860 } as const;

const OVERVIEW = { ...WIDE, route: 'overview', whole: true } as const;

/** Each page of the dashboard with its name in the names of files. */
const ROUTES: readonly (readonly [name: string, route: string, height?: number])[] = [
  ['cameras', 'cameras'],
  ['subscriptions', 'subscriptions', 620],
  ['skipped', 'subscriptions?view=skipped', 360],
  ['plan', 'plan'],
  ['models', 'models', 420],
  ['events', 'events', 620],
  ['detections', 'detections', TWO_ROWS],
  ['search', 'detections?view=search&range=1h', TWO_ROWS],
  ['dead-letters', 'dead-letters', 620],
  ['manage', 'manage', 620],
  ['worker', 'worker?url={worker}'],
];

/** Of a cluster in which everything runs. */
export const GOOD: readonly Picture[] = [
  { ...OVERVIEW, name: 'dashboard-light' },
  { ...OVERVIEW, name: 'dashboard-dark', theme: 'dark' },
  { ...OVERVIEW, name: 'dashboard-narrow', width: 375, height: 812 },
  ...picturesOfPages('dashboard').map((picture) => ({
    ...picture,
    ...(picture.route === 'detections' && { press: 'Pause' }),
  })),
];

/** Of a cluster whose workers are gone. */
export const BAD: readonly Picture[] = [
  { ...OVERVIEW, name: 'trouble-overview' },
  ...picturesOfPages('trouble'),
];

function picturesOfPages(set: string): Picture[] {
  return ROUTES.map(([name, route, height = WIDE.height]) => ({
    ...WIDE,
    name: `${set}-${name}`,
    route,
    height,
    whole: !LONG.includes(name),
  }));
}
