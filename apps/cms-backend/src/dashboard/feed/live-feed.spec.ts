import {
  packSubscriptions,
  type DashboardMessage,
  type DashboardView,
  type SubscriptionRow,
} from '@detector-cluster/dashboard-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.fixture.js';
import type { Page } from '../page.js';
import type { ClusterPicture } from './cluster-picture.js';
import { LiveFeed } from './live-feed.js';

const subscription = (status: SubscriptionRow['status']) => ({
  'd;c': {
    subscriptionIdentifier: 'd;c',
    workerUrl: '',
    model: null,
    version: null,
    status,
    reason: '',
    detail: '',
    since: '',
  },
});

describe('LiveFeed', () => {
  let feed: LiveFeed;
  afterEach(() => feed.end());

  it('sends the subscriptions when they are known, and changes of them only after that', async () => {
    let subscriptions: DashboardView['subscriptions'] = null;
    const picture = {
      look: async () => undefined,
      view: () => ({ workers: {}, processes: {}, subscriptions, skipped: {}, sources: {} }),
      events: { next: () => [], past: [] },
      detections: { next: () => ({ items: [], skipped: 0 }), past: [] },
    };
    const received: DashboardMessage[] = [];
    const page = { send: (frame: Buffer) => received.push(JSON.parse(String(frame)) as DashboardMessage) };
    feed = new LiveFeed(picture as unknown as ClusterPicture, 'p', null);
    feed.join(page as unknown as Page);
    await eventually(async () => expect(received.length).toBeGreaterThan(1));
    expect(received[0]).toMatchObject({ event: 'snapshot', data: { view: { subscriptions: null } } });

    subscriptions = subscription('pending');
    await eventually(async () => expect(received.map(({ event }) => event)).toContain('subscriptions'));
    const at = received.findIndex(({ event }) => event === 'subscriptions');
    expect(received[at]!.data).toMatchObject({
      seq: received[at - 1]!.data.seq,
      subscriptions: packSubscriptions(subscriptions),
    });
    expect(received.slice(1, at).every((message) => message.event === 'patch' && !message.data.changes)).toBe(
      true,
    );

    subscriptions = subscription('active');
    await eventually(async () =>
      expect(received.map(({ data }) => ('changes' in data ? data.changes : null))).toContainEqual({
        subscriptions: { changed: { 'd;c': { status: 'active' } } },
      }),
    );
    expect(received.filter(({ event }) => event === 'subscriptions')).toHaveLength(1);
  });
});
