import type { LettersAnswer } from '../api/cluster-types.js';
import { counted } from '../wording/counted.js';

/** A call takes at most this many ids. */
const MAX_IDS = 1_000;

export type LetterIds = readonly string[] | 'all';

/** What an operator can do with letters: how the outcome is called, and why letters stay. */
const ACTS = {
  replay: { done: 'queued for delivery', stay: 'because no callback is registered for them any more' },
  drop: { done: 'dropped', stay: 'because they are about to be replayed' },
} as const;

/** Replays or drops letters, in as many calls as needed. Resolves with the outcome as a text for people. */
export async function actOnLetters(
  act: keyof typeof ACTS,
  call: (ids: LetterIds) => Promise<LettersAnswer>,
  ids: LetterIds,
): Promise<string> {
  const answers: LettersAnswer[] = [];
  if (ids === 'all') answers.push(await call(ids));
  else
    for (let start = 0; start < ids.length; start += MAX_IDS)
      answers.push(await call(ids.slice(start, start + MAX_IDS)));
  const done = answers.reduce((sum, { replayed = 0, dropped = 0 }) => sum + replayed + dropped, 0);
  const left = answers.flatMap((answer) => answer.left).length;
  const gone = answers.flatMap((answer) => answer.gone).length;
  const parts = [
    `${counted(done, 'letter')} ${ACTS[act].done}`,
    ...(left > 0 ? [`${counted(left, 'letter')} left ${ACTS[act].stay}`] : []),
    ...(gone > 0 ? [`${counted(gone, 'letter')} already gone`] : []),
  ];
  return `${parts.join('; ')}.`;
}
