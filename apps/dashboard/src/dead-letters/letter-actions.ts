import { counted } from '../wording/counted.js';
import type { DropAnswer, ReplayAnswer } from '../api/cluster-types.js';

/** A call takes at most this many ids. */
const MAX_IDS = 1_000;

export type LetterIds = readonly string[] | 'all';

/** The outcome of a replay or a drop. */
export interface LetterOutcome {
  /** For people. */
  readonly text: string;
  /** Letters that stay. */
  readonly left: readonly string[];
}

/** Delivers letters again, in as many calls as needed. */
export async function replayLetters(
  call: (ids: LetterIds) => Promise<ReplayAnswer>,
  ids: LetterIds,
): Promise<LetterOutcome> {
  const answers = await inChunks(call, ids);
  return outcome(
    { done: sum(answers.map(({ replayed }) => replayed)), as: 'queued for delivery' },
    answers,
    'because no callback is registered for them any more',
  );
}

/** Removes letters permanently, in as many calls as needed. */
export async function dropLetters(
  call: (ids: LetterIds) => Promise<DropAnswer>,
  ids: LetterIds,
): Promise<LetterOutcome> {
  const answers = await inChunks(call, ids);
  return outcome(
    { done: sum(answers.map(({ dropped }) => dropped)), as: 'dropped' },
    answers,
    'because they are about to be replayed',
  );
}

async function inChunks<T>(call: (ids: LetterIds) => Promise<T>, ids: LetterIds): Promise<T[]> {
  if (ids === 'all') return [await call(ids)];
  const answers: T[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS)
    answers.push(await call(ids.slice(start, start + MAX_IDS)));
  return answers;
}

function outcome(
  { done, as }: { readonly done: number; readonly as: string },
  answers: readonly Pick<ReplayAnswer, 'left' | 'gone'>[],
  why: string,
): LetterOutcome {
  const left = answers.flatMap((answer) => answer.left);
  const gone = answers.flatMap((answer) => answer.gone).length;
  const parts = [
    `${counted(done, 'letter')} ${as}`,
    ...(left.length > 0 ? [`${counted(left.length, 'letter')} left ${why}`] : []),
    ...(gone > 0 ? [`${counted(gone, 'letter')} already gone`] : []),
  ];
  return { text: `${parts.join('; ')}.`, left };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
