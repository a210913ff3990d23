import { describe, expect, it } from '@jest/globals';
import { eventsOfWorker } from './worker-events.js';

const event = (number: number, more: Readonly<Record<string, unknown>>) => ({
  eventId: `1-${number}`,
  type: 'any',
  at: '2026-01-01T00:00:00.000Z',
  term: 1,
  ...more,
});

describe('eventsOfWorker', () => {
  it('finds events of the worker, moves from it and to it, and actions on it', () => {
    const of = [
      event(1, { url: 'ws://gpu-1:8000' }),
      event(2, { from: 'ws://gpu-1:8000', to: 'ws://gpu-2:8000' }),
      event(3, { from: 'ws://gpu-2:8000', to: 'ws://gpu-1:8000' }),
      event(4, { target: 'ws://gpu-1:8000' }),
      event(5, { target: 'gpu-1:8000' }),
    ];
    const others = [
      event(6, { url: 'ws://gpu-10:8000' }),
      event(7, { from: 'ws://gpu-2:8000', to: 'ws://gpu-3:8000' }),
      event(8, { target: null }),
      event(9, {}),
    ];
    expect(eventsOfWorker([...of, ...others], 'ws://gpu-1:8000')).toEqual(of);
  });
});
