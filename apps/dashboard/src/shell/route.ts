/** The pages, in the order of the navigation. */
export const PAGES = [
  'overview',
  'cameras',
  'subscriptions',
  'models',
  'plan',
  'events',
  'detections',
  'dead-letters',
  'manage',
] as const;

/** Pages about one thing, which the navigation does not list. */
const DETAIL_PAGES = ['worker', 'camera', 'not-found'] as const;

export const ALL_PAGES = [...PAGES, ...DETAIL_PAGES] as const;

export type PageName = (typeof ALL_PAGES)[number];

export interface Route {
  readonly page: PageName;
  /** The parameters of the page, e.g. a filter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads `#/<page>?<parameters>`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const page = ALL_PAGES.find((name) => name === (path || 'overview')) ?? 'not-found';
  return { page, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** A link to a page, without empty parameters. */
export function routeHref(page: PageName, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return query.size === 0 ? `#/${page}` : `#/${page}?${query}`;
}

/** Pages that show a time range. */
const RANGED: readonly PageName[] = ['overview', 'worker', 'camera', 'events', 'detections'];

/** The link with a time range, if its page shows one and the link has none. */
export function hrefInRange(href: string, range = ''): string {
  const { page, parameters } = parseRoute(href);
  return RANGED.includes(page) ? routeHref(page, { ...parameters, range: parameters.range ?? range }) : href;
}
