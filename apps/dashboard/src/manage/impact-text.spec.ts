import { describe, expect, it } from 'vitest';
import type { Impact } from '../api/entries-api.js';
import { phraseText } from '../wording/phrase.js';
import { impactSentences } from './impact-text.js';

const NOTHING: Impact = {
  starts: [],
  restarts: [],
  stops: [],
  otherSteps: 0,
  skipped: [],
  skippedTotal: 0,
  complete: true,
  problem: null,
};
const textsOf = (impact: Partial<Impact>) => impactSentences({ ...NOTHING, ...impact }).map(phraseText);
const on = (subscriptions: number, workerUrl: string | null = 'ws://worker-2:8000') => [
  { workerUrl, subscriptions },
];

describe('impactSentences', () => {
  it.each<[Partial<Impact>, string]>([
    [{}, 'No subscription starts, restarts or stops.'],
    [{ starts: on(3) }, 'Starts 3 subscriptions on worker-2:8000.'],
    [{ starts: on(1) }, 'Starts 1 subscription on worker-2:8000.'],
    [{ starts: on(2, null) }, '2 subscriptions will wait until a worker can take them.'],
    [{ starts: on(2, null), problem: 'no master' }, 'Starts 2 subscriptions.'],
    [{ restarts: on(2) }, 'Restarts 2 subscriptions on worker-2:8000, with the new parameters.'],
    [{ stops: on(1_000) }, 'Stops 1,000 subscriptions on worker-2:8000.'],
    [{ stops: on(1, null) }, 'Stops 1 subscription.'],
    [{ otherSteps: 1 }, '1 other camera moves or stops.'],
    [{ otherSteps: 4 }, '4 other cameras move or stop.'],
    [{ skippedTotal: 2 }, '2 displays of this change will have no subscription.'],
    [{ complete: false }, 'More displays depend on this change than are counted here.'],
  ])('says what %j means', (impact, text) => {
    expect(textsOf(impact)).toEqual([text]);
  });

  it('names each worker', () => {
    expect(textsOf({ starts: [...on(2), ...on(1, 'ws://w')], stops: on(1) })).toHaveLength(3);
  });
});
