import type { DeadLetter, DeadLettersAnswer, Page } from '../api/cluster-types.js';

/** An answer holds at most this many letters. */
const PAGE = 1_000;

export interface Letters {
  /** Oldest first. */
  readonly letters: readonly DeadLetter[];
  /** Whether more letters follow. */
  readonly more: boolean;
}

/** Reads the first letters, up to `wanted`. */
export async function readLetters(
  ask: (page: Page) => Promise<DeadLettersAnswer>,
  wanted: number,
): Promise<Letters> {
  const letters: DeadLetter[] = [];
  // One letter more than wanted shows whether more follow.
  while (letters.length <= wanted) {
    const limit = Math.min(PAGE, wanted + 1 - letters.length);
    const last = letters.at(-1)?.letterId;
    const { deadLetters } = await ask({ limit, ...(last !== undefined && { after: last }) });
    letters.push(...deadLetters);
    if (deadLetters.length < limit) break;
  }
  return { letters: letters.slice(0, wanted), more: letters.length > wanted };
}
