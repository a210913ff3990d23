import type { DeadLetter, DeadLettersAnswer, LettersFilter, LettersPage } from '../api/cluster-types.js';

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
