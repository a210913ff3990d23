import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromActual, isoTimes, toActual } from './actual-state-store.js';
import type { TrackedSubscription } from '@detector-cluster/placement/internal';

const time = fc.integer({ min: 1, max: 4_102_444_800_000 });
const record = fc.record({
  workerUrl: fc.webUrl(),
  specHash: fc.string(),
  holder: fc.string(),
  status: fc.constantFrom('active', 'pending', 'failed', 'recovering'),
  reason: fc.string(),
  since: time,
  assignedAt: fc.oneof(fc.constant(0), time),
});
const facts = fc.record({
  modelUrl: fc.webUrl(),
  lastSeen: fc.option(time),
  term: fc.nat(),
});

describe('the record of a running subscription', () => {
  it('restores the memory of the previous master, also when many records share their times', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(record, facts), { maxLength: 5 }), (all) => {
        const iso = isoTimes();
        // Each record twice: the second parse takes its times from the cache.
        for (const [memory, known] of [...all, ...all]) {
          const tracked: TrackedSubscription = {
            ...memory,
            sentAt: null,
            attempts: 0,
            offline: null,
            confirmed: memory.status === 'active',
          };
          const written = toActual('d;c', tracked, known, iso);
          expect(written).toEqual(toActual('d;c', tracked, known));
          const { lastSeen, modelUrl } = known;
          expect(fromActual(JSON.stringify(written))).toEqual({ ...tracked, lastSeen, modelUrl });
        }
      }),
    );
  });

  it('keeps no hash of parameters that no report has confirmed', () => {
    const memory = {
      workerUrl: 'ws://a',
      specHash: 'abc',
      holder: 'ws://a',
      status: 'recovering',
      reason: '',
    } as const;
    const tracked = {
      ...memory,
      since: 1,
      assignedAt: 1,
      sentAt: 5,
      attempts: 1,
      offline: null,
      confirmed: false,
    };
    const written = toActual('d;c', tracked, { modelUrl: '', lastSeen: null, term: 1 });
    expect(fromActual(JSON.stringify(written))).toMatchObject({
      specHash: 'unconfirmed',
      sentAt: null,
      attempts: 0,
    });
  });

  it.each(['', '{', 'null', '7', '{}', '{"assignedWorkerUrl":7}'])(
    'is skipped if it is unreadable: %s',
    (text) => {
      expect(fromActual(text)).toBeNull();
    },
  );
});
