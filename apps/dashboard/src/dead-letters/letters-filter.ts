import type { LettersFilter } from '../api/cluster-types.js';
import { periodOf, periodQuery } from '../time/period.js';

/** Whose callbacks failed. */
export const AUDIENCES: Readonly<Record<string, string>> = {
  owner: 'callbacks of the owner',
  listener: 'listeners of the subscription',
};

const FILTERS = ['text', 'camera', 'worker', 'audience'] as const;

type Parameters = Readonly<Record<string, string>>;

/** What the service is asked for. @param now milliseconds since 1970 */
export function lettersFilter(parameters: Parameters, now: number): LettersFilter {
  const filters = FILTERS.flatMap((name) => {
    const value = parameters[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(filters),
    ...(isNewestFirst(parameters) && { sort: '-failedAt' as const }),
    ...periodQuery(periodOf(parameters), now),
  };
}

/** Whether letters may be left out. */
export function isFiltered(parameters: Parameters): boolean {
  return [...FILTERS, 'range', 'from', 'to'].some((name) => (parameters[name] ?? '') !== '');
}

export function isNewestFirst({ sort }: Parameters): boolean {
  return sort === 'newest';
}
