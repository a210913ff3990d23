import {
  EMPTY_VIEW,
  packSubscriptions,
  type DetectionItem,
  type EventItem,
  type SnapshotMessage,
  type SubscriptionRow,
} from '@detector-cluster/dashboard-protocol';
import { effect } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { detection as aDetection } from '../detections/detection.fixture.js';
import { DETECTIONS_KEPT, EVENTS_KEPT, FeedStore, appendNew } from './feed-store.js';

const event = (n: number): EventItem => ({ eventId: `${n}-0`, type: 'cluster-frozen', at: '', term: 1 });
const detection = (n: number, processId = 'a'): DetectionItem =>
  aDetection(`d${n}`, { processId, receivedAt: '' });
const row = (displayId: string) => ({ displayId, reason: 'no-playlist', detail: '' });
const subscription = (subscriptionIdentifier: string): SubscriptionRow => ({
  subscriptionIdentifier,
  workerUrl: '',
  model: null,
  version: null,
  status: 'pending',
  reason: '',
  detail: '',
  since: '',
});

function snapshot(data: Partial<SnapshotMessage['data']> = {}): SnapshotMessage {
  const view = { ...EMPTY_VIEW, subscriptions: {} };
  return {
    event: 'snapshot',
    data: { seq: 0, at: '', servedBy: 'p', view, events: [], detections: [], ...data },
  };
}

describe('FeedStore', () => {
  it('applies changes, and keeps unchanged objects', () => {
    const store = new FeedStore();
    const a = row('a');
    const view = { ...EMPTY_VIEW, subscriptions: {}, skipped: { a } };
    store.take(snapshot({ view }));
    let workersSeen = 0;
    const stop = effect(() => {
      workersSeen += store.workers.value === view.workers ? 1 : 100;
    });
    store.take({
      event: 'patch',
      data: { seq: 1, at: 'now', changes: { skipped: { set: { b: row('b') } } } },
    });
    stop();
    expect(store.skipped.value).toEqual({ a, b: row('b') });
    expect(store.skipped.value.a).toBe(a);
    expect(workersSeen).toBe(1);
    expect(store.at.value).toBe('now');
  });

  it('is not up to date while the service is lost, or Redis or the master is unavailable', () => {
    const store = new FeedStore();
    const since = new Date(1_000).toISOString();
    const away = (name: 'redis' | 'master') => ({ [name]: { name, ok: false, since, problem: 'refused' } });
    expect([store.outage.value, store.processesOutage.value]).toEqual([null, null]);
    store.take(snapshot({ view: { ...EMPTY_VIEW, sources: away('master') } }));
    expect(store.outage.value).toMatchObject({ name: 'master', since });
    expect(store.processesOutage.value).toBeNull();
    store.take(snapshot({ view: { ...EMPTY_VIEW, sources: away('redis') } }));
    for (const outage of [store.outage, store.processesOutage])
      expect(outage.value).toMatchObject({ name: 'redis', since });
    store.connection.value = { phase: 'lost', since: 2_000, failure: 'unreachable', retryAt: null };
    for (const outage of [store.outage, store.processesOutage])
      expect(outage.value).toEqual({ name: 'service', since: new Date(2_000).toISOString() });
  });

  it('takes the subscriptions after the snapshot, and keeps them through the next snapshot without', () => {
    const store = new FeedStore();
    const view = EMPTY_VIEW;
    store.take(snapshot({ view }));
    expect([store.subscriptionsKnown.value, store.subscriptions.value]).toEqual([false, {}]);
    const rows = { a: subscription('a') };
    const subscriptions = packSubscriptions(rows);
    store.take({ event: 'subscriptions', data: { seq: 0, at: 'now', subscriptions } });
    expect([store.subscriptionsKnown.value, store.subscriptions.value]).toEqual([true, rows]);
    expect(store.at.value).toBe('now');
    store.take(snapshot({ view }));
    expect([store.subscriptionsKnown.value, store.subscriptions.value]).toEqual([true, rows]);
    store.take({ event: 'subscriptions', data: { seq: 0, at: '', subscriptions: packSubscriptions({}) } });
    expect([store.subscriptionsKnown.value, store.subscriptions.value]).toEqual([true, {}]);
  });

  it('keeps the newest events and detections, and counts detections that were not sent', () => {
    const store = new FeedStore();
    expect(store.known.value).toBe(false);
    store.take(
      snapshot({
        events: Array.from({ length: EVENTS_KEPT }, (_, n) => event(n)),
        detections: Array.from({ length: DETECTIONS_KEPT }, (_, n) => detection(n)),
      }),
    );
    store.take({
      event: 'patch',
      data: {
        seq: 1,
        at: '',
        events: [event(EVENTS_KEPT)],
        detections: [detection(1_000), detection(1_000, 'b')],
        skippedDetections: 7,
      },
    });
    expect(store.known.value).toBe(true);
    expect(store.events.value).toHaveLength(EVENTS_KEPT);
    expect(store.events.value.at(-1)).toEqual(event(EVENTS_KEPT));
    expect(store.detections.value).toHaveLength(DETECTIONS_KEPT);
    expect(store.detectionCount.value).toBe(DETECTIONS_KEPT + 2 + 7);
  });

  it('ignores events and detections that it already has', () => {
    const store = new FeedStore();
    store.take(snapshot({ events: [event(1)], detections: [detection(1)] }));
    store.take(snapshot({ events: [event(1), event(2)], detections: [detection(1)] }));
    expect(store.events.value.map(({ eventId }) => eventId)).toEqual(['1-0', '2-0']);
    expect(store.detectionCount.value).toBe(1);
  });
});

const itself = (text: string) => text;

describe('appendNew', () => {
  it('adds each unknown item once, in order', () => {
    expect(appendNew(['a', 'b'], ['b', 'c', 'c', 'd'], itself, 10)).toEqual({
      items: ['a', 'b', 'c', 'd'],
      added: 2,
    });
  });

  it('keeps the newest', () => {
    expect(appendNew(['a', 'b'], ['c', 'd'], itself, 3).items).toEqual(['b', 'c', 'd']);
  });

  it('returns the same list if nothing is new', () => {
    const items = ['a', 'b'];
    expect(appendNew(items, ['a'], itself, 3).items).toBe(items);
    expect(appendNew(items, [], itself, 3).items).toBe(items);
  });
});
