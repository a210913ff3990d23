import type { DeadLetter, DetectorCluster } from '@detector-cluster/detector-cluster';
import { cameraOf } from '../detections/detection-facts.js';
import { contains, cursorAt, type Page, placeIn } from '../http/pagination.js';
import { isWithin } from './find-events.js';
import { type DeadLettersQuery, LETTER_ID } from './journal.schema.js';

export type DeadLetterView = Omit<DeadLetter, 'failedAt'> & { readonly failedAt: string };

/** Dead letters that match the query. */
export async function findLetters(
  cluster: Pick<DetectorCluster, 'listDeadLetters'>,
  { limit, cursor, sort, camera, worker = '', audience, text = '', from, to }: DeadLettersQuery,
): Promise<Page<DeadLetterView>> {
  const matches = (letter: DeadLetter) =>
    (camera === undefined || cameraOf(letter.subscriptionIdentifier ?? '') === camera) &&
    contains(letter.workerUrl, worker) &&
    (audience === undefined || letter.audience === audience) &&
    contains(letter.error, text) &&
    isWithin(isoOf(letter.failedAt), from, to);
  const list = (most: number, after?: string) =>
    cluster.listDeadLetters({
      limit: most,
      newestFirst: sort === '-failedAt',
      matches,
      ...(after !== undefined && { after }),
    });
  const letters = await list(limit, cursor === undefined ? undefined : placeIn(cursor, LETTER_ID, sort));
  const last = letters.at(-1)?.letterId;
  const more = letters.length === limit && last !== undefined && (await list(1, last)).length > 0;
  return {
    items: letters.map((letter) => ({ ...letter, failedAt: isoOf(letter.failedAt) })),
    nextCursor: more ? cursorAt(last, sort) : null,
  };
}

/** Empty: not known. */
function isoOf(instant: Date): string {
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
}
