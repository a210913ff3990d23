/** One picture of the dashboard, written as `<name>.png`. */
export interface Picture {
  readonly name: string;
  /** Page of the dashboard. */
  readonly route: string;
  readonly theme: 'light' | 'dark';
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const WIDE = { theme: 'light', width: 1_280, height: 1_150 } as const;

export const PICTURES: readonly Picture[] = [
  { ...WIDE, name: 'dashboard-light', route: 'overview' },
  { ...WIDE, name: 'dashboard-dark', route: 'overview', theme: 'dark' },
  { ...WIDE, name: 'dashboard-subscriptions', route: 'subscriptions', height: 620 },
  { ...WIDE, name: 'dashboard-plan', route: 'plan', height: 860 },
  { ...WIDE, name: 'dashboard-narrow', route: 'overview', width: 375, height: 812 },
];
