import type { EventItem } from '@detector-cluster/dashboard-protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimelineFacts, timelineOf } from './camera-timeline.js';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 1, 12);
const END = BEGIN + 60 * MINUTE;

const iso = (minute: number) => new Date(BEGIN + minute * MINUTE).toISOString();
const event = (minute: number, type: string, details: object = {}): EventItem => ({
  eventId: `${BEGIN + minute * MINUTE}-0`,
  type,
  at: iso(minute),
  term: 1,
  ...details,
});
const moved = (minute: number, cameraId: string, from: string, to: string) =>
  event(minute, 'camera-moved', { cameraId, from: `ws://${from}`, to: `ws://${to}`, reason: 'drain' });

/** Lane → its spans as `minute-minute label`. */
const shown = (facts: Partial<TimelineFacts>) =>
  Object.fromEntries(
    timelineOf({
      cameraId: 'gate',
      from: BEGIN,
      to: END,
      keptFrom: BEGIN - MINUTE,
      events: [],
      detections: null,
      workerUrl: '',
      status: null,
      ...facts,
    }).map(({ name, spans }) => [
      name,
      spans.map(({ from, to, label }) => `${(from - BEGIN) / MINUTE}-${(to - BEGIN) / MINUTE} ${label}`),
    ]),
  );

describe('the timeline of a camera', () => {
  it('shows where the camera ran, from its own moves', () => {
    const events = [moved(10, 'gate', 'a', 'b'), moved(15, 'other', 'b', 'c'), moved(20, 'gate', 'b', 'c')];
    expect(shown({ events, workerUrl: 'ws://c' })).toMatchObject({
      Worker: ['0-10 a', '10-20 b', '20-60 c'],
      Events: ['10-10 Moved', '20-20 Moved'],
    });
    expect(shown({ workerUrl: 'ws://c' }).Worker).toEqual(['0-60 c']);
    expect(shown({}).Worker).toEqual([]);
  });

  it('leaves open where the camera ran before the oldest event that is kept', () => {
    const events = [moved(10, 'gate', 'a', 'b')];
    const keptFrom = BEGIN + 5 * MINUTE;
    expect(shown({ events, keptFrom, workerUrl: 'ws://b' }).Worker).toEqual(['5-10 a', '10-60 b']);
    expect(shown({ keptFrom: END, workerUrl: 'ws://b' }).Worker).toEqual([]);
  });

  it('shows when the worker that it ran on did not report, and its present status', () => {
    const events = [
      event(5, 'worker-offline', { url: 'ws://a' }),
      event(6, 'worker-offline', { url: 'ws://b' }),
      moved(8, 'gate', 'a', 'c'),
      event(9, 'worker-online', { url: 'ws://a' }),
      event(50, 'worker-offline', { url: 'ws://c' }),
    ];
    const status = { from: BEGIN - MINUTE, label: 'Recovering', tone: 'warn' } as const;
    expect(shown({ events, workerUrl: 'ws://c', status }).Status).toEqual([
      '5-8 a did not report',
      '50-60 c did not report',
      '0-60 Recovering',
    ]);
  });

  it('shows detections, and the gaps between them', () => {
    const detections = [1, 2, 3, 4, 5, 40, 41, 42].map((minute) => BEGIN + minute * MINUTE);
    const lane = shown({ detections }).Detections!;
    expect(lane.filter((text) => text.endsWith('No detection'))).toEqual([
      '5-40 No detection',
      '42-60 No detection',
    ]);
    expect(lane.filter((text) => text.endsWith(' Detection'))).toHaveLength(8);
    expect(shown({ detections: [] }).Detections).toEqual(['0-60 No detection']);
    expect(shown({ detections: null }).Detections).toEqual([]);
  });

  it('shows outages of Redis and the database, those that last, and new masters', () => {
    const events = [
      event(9, 'redis-unavailable', { since: iso(-5), until: iso(8), processId: 'p' }),
      event(9, 'master-acquired', { processId: 'p' }),
      event(20, 'database-unavailable', { problem: 'x' }),
      event(25, 'database-available', { since: iso(20) }),
      event(55, 'database-unavailable', { problem: 'x' }),
    ];
    expect(shown({ events }).Outages).toEqual([
      '0-8 Redis was unavailable',
      '20-25 The database was unavailable',
      '55-60 The database was unavailable',
      '9-9 New master',
    ]);
  });

  it('stays on its axis, whatever the events say', () => {
    const minutes = fc.integer({ min: -30, max: 90 });
    const anyEvent = fc
      .tuple(
        minutes,
        fc.constantFrom('camera-moved', 'worker-offline', 'worker-online', 'redis-unavailable', 'odd'),
        fc.record(
          {
            cameraId: fc.constantFrom<unknown>('gate', 'other', 7, null),
            url: fc.constantFrom<unknown>('ws://a', 'ws://b', null),
            from: fc.constantFrom<unknown>('ws://a', '', 3),
            to: fc.constantFrom<unknown>('ws://b', undefined),
            since: fc.oneof(minutes.map(iso), fc.constant('never')),
            until: minutes.map(iso),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([minute, type, details]) => event(minute, type, details));
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(minutes), (events, detected) => {
        const lanes = timelineOf({
          cameraId: 'gate',
          from: BEGIN,
          to: END,
          keptFrom: BEGIN,
          events,
          detections: detected.map((minute) => BEGIN + minute * MINUTE).sort((a, b) => a - b),
          workerUrl: 'ws://b',
          status: null,
        });
        for (const { from, to } of lanes.flatMap(({ spans }) => spans)) {
          expect(from).toBeGreaterThanOrEqual(BEGIN);
          expect(to).toBeLessThanOrEqual(END);
        }
      }),
    );
  });
});
