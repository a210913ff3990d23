import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { feed } from '../feed/feed.js';
import { now } from '../time/clock.js';
import { counted } from '../wording/counted.js';

/** An answer names at most this many; more are not counted. */
const MAX_LETTERS = 100;

const MINUTE = 60_000;

/** How many dead letters there are, looked up once a minute; empty: none. */
export function useDeadLetters(): string {
  const available = feed.answers.value;
  const minute = Math.floor(now.value / MINUTE);
  const { value } = useLoaded(
    async () => (available ? clusterApi.deadLetters({ limit: MAX_LETTERS }) : null),
    [minute, available],
  ).value;
  if (value === null || value.items.length === 0) return '';
  return value.nextCursor === null
    ? counted(value.items.length, 'dead letter')
    : `More than ${MAX_LETTERS} dead letters`;
}
