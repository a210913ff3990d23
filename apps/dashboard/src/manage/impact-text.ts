import type { Impact, WorkerCount } from '../api/entries-api.js';
import { workerName } from '../overview/workers.js';
import { counted } from '../wording/counted.js';
import { phrase, type Phrase } from '../wording/phrase.js';

/** What will happen, one sentence for each worker and kind of step. */
export function impactSentences(impact: Impact): Phrase[] {
  const { starts, restarts, stops, otherSteps, skippedTotal, complete, problem } = impact;
  const sentences = [
    ...starts.map((count) =>
      problem === null && count.workerUrl === null
        ? phrase`${subscriptions(count)} will wait until a worker can take ${it(count)}.`
        : phrase`Starts ${subscriptions(count)}${where(count)}.`,
    ),
    ...restarts.map(
      (count) => phrase`Restarts ${subscriptions(count)}${where(count)}, with the new parameters.`,
    ),
    ...stops.map((count) => phrase`Stops ${subscriptions(count)}${where(count)}.`),
    ...(otherSteps === 0
      ? []
      : [phrase`${counted(otherSteps, 'other camera moves or stops', 'other cameras move or stop')}.`]),
    ...(skippedTotal === 0
      ? []
      : [phrase`${counted(skippedTotal, 'display')} of this change will have no subscription.`]),
    ...(complete ? [] : [phrase`More displays depend on this change than are counted here.`]),
  ];
  return sentences.length === 0 ? [phrase`No subscription starts, restarts or stops.`] : sentences;
}

const subscriptions = ({ subscriptions: count }: WorkerCount) => counted(count, 'subscription');

function it({ subscriptions: count }: WorkerCount): string {
  return count === 1 ? 'it' : 'them';
}

function where({ workerUrl }: WorkerCount): Phrase {
  return workerUrl === null ? [] : phrase` on ${workerName(workerUrl)}`;
}
