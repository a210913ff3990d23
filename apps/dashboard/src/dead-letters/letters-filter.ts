import type { LettersFilter, DeadLetter, DeadLettersAnswer, LettersPage } from '../api/cluster-types.js';
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

/** An answer holds at most this many letters. */
const PAGE = 200;

export interface Letters {
  /** In the order of the filter. */
  readonly letters: readonly DeadLetter[];
  /** Whether more letters follow. */
  readonly more: boolean;
}

/** Reads the first letters that match, up to `wanted`. */
export async function readLetters(
  ask: (page: LettersPage) => Promise<DeadLettersAnswer>,
  wanted: number,
  filter: LettersFilter = {},
): Promise<Letters> {
  const letters: DeadLetter[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, wanted - letters.length);
    const page: DeadLettersAnswer = await ask({ ...filter, limit, ...(cursor !== null && { cursor }) });
    letters.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && letters.length < wanted);
  return { letters, more: cursor !== null };
}
