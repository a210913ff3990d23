import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import type { DesiredEntry, ReportedStream, TrackedSubscription, WorkerObservation } from './observation.js';
import { rememberedPlacements } from './plan-input.js';

const CAMERAS = 3;
const DISPLAYS = 3;
const URLS = ['ws://a', 'ws://b', 'ws://c'];

interface Case {
  /** By subscription: the worker on record (3: none, 4: one that no longer exists), and whether a command is unconfirmed. */
  readonly records: readonly { readonly worker: number; readonly sent: boolean }[];
  /** By worker and subscription: not reported, without a picture, or with one. */
  readonly reports: readonly (readonly (null | boolean)[])[];
  readonly workers: readonly { readonly current: boolean; readonly quarantined: boolean }[];
}

const subscriptions = Array.from({ length: CAMERAS * DISPLAYS }, (_, i) => {
  const cameraId = `c${i % CAMERAS}`;
  return { cameraId, id: `d${Math.floor(i / CAMERAS)};${cameraId}` };
});

const arbitrary: fc.Arbitrary<Case> = fc.record({
  records: fc.array(fc.record({ worker: fc.nat({ max: 4 }), sent: fc.boolean() }), {
    minLength: subscriptions.length,
    maxLength: subscriptions.length,
  }),
  reports: fc.array(
    fc.array(fc.constantFrom(null, null, true, false), {
      minLength: subscriptions.length,
      maxLength: subscriptions.length,
    }),
    { minLength: URLS.length, maxLength: URLS.length },
  ),
  workers: fc.array(fc.record({ current: fc.boolean(), quarantined: fc.boolean() }), {
    minLength: URLS.length,
    maxLength: URLS.length,
  }),
});

function placementsOf({ records, reports, workers }: Case): Map<string, string> {
  const desired = new Map(subscriptions.map(({ cameraId, id }) => [id, { cameraId } as DesiredEntry]));
  const tracked = new Map<string, TrackedSubscription>();
  for (const [i, { worker, sent }] of records.entries())
    if (worker !== 3)
      tracked.set(subscriptions[i]!.id, {
        workerUrl: URLS[worker] ?? 'ws://gone',
        sentAt: sent ? 1 : null,
      } as TrackedSubscription);
  const observations = workers.map(({ current, quarantined }, w) => {
    const reported = new Map<string, ReportedStream>();
    for (const [i, online] of reports[w]!.entries())
      if (online !== null) reported.set(subscriptions[i]!.id, { online, modelId: null, fingerprint: null });
    const liveness = quarantined ? 'Quarantined' : 'Ready';
    return { url: URLS[w]!, current, liveness, reported } as unknown as WorkerObservation;
  });
  return runToEnd(rememberedPlacements(desired, tracked, observations));
}

/** The workers that the rule allows for a camera, by counting the votes of every subscription. */
function allowed({ records, reports, workers }: Case, cameraId: string): Set<string> {
  const votes = new Map<string, number>();
  const vote = (w: number, weight: number) => votes.set(URLS[w]!, (votes.get(URLS[w]!) ?? 0) + weight);
  for (const [i, subscription] of subscriptions.entries()) {
    if (subscription.cameraId !== cameraId) continue;
    const { worker, sent } = records[i]!;
    const known = worker < URLS.length;
    const runs = known && (!workers[worker]!.current || reports[worker]![i] !== null || sent);
    if (runs) {
      vote(worker, 1_000);
      continue;
    }
    if (known && workers[worker]!.quarantined) continue;
    const found = [...URLS.keys()].filter((w) => workers[w]!.current && reports[w]![i] !== null);
    for (const w of found) vote(w, reports[w]![i] === true ? 2 : 1);
    if (found.length === 0 && known) vote(worker, 1_000);
  }
  const most = Math.max(...votes.values());
  return new Set([...votes].flatMap(([url, weight]) => (weight === most ? [url] : [])));
}

describe('rememberedPlacements', () => {
  it('chooses the worker that most subscriptions of a camera name, whatever the records and reports are', () => {
    fc.assert(
      fc.property(arbitrary, (given) => {
        const placements = placementsOf(given);
        for (let i = 0; i < CAMERAS; i++) {
          const choices = allowed(given, `c${i}`);
          if (choices.size === 0) expect(placements.has(`c${i}`)).toBe(false);
          else expect(choices).toContain(placements.get(`c${i}`));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
