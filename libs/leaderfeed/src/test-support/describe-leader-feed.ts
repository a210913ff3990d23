import { eventually } from '@detector-cluster/election/testing';
import { watchStandstill } from '../../../election/src/testing/watch-standstill.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeaderFeedEvents, LeaderFeedStatus } from '../base/index.js';
import type { LeaderFeedMode, StoreLeaderFeedOptions } from '../lease/store-leader-feed.js';

/** The part of a feed that the suite needs, independent of its start options. */
export interface AnyFeed {
  readonly id: string;
  readonly isLeader: boolean;
  readonly leader: string | null;
  readonly status: LeaderFeedStatus;
  readonly term: number;
  start(): Promise<unknown>;
  stop(): Promise<void>;
  elect(id?: string): Promise<void>;
  on<Name extends keyof LeaderFeedEvents>(
    name: Name,
    listener: (...args: LeaderFeedEvents[Name]) => void,
  ): unknown;
}

/** One election on one store. Each test gets a new one. */
export interface LeaderFeedHarness {
  /** All feeds of a harness take part in the same election. */
  createFeed(options: StoreLeaderFeedOptions): AnyFeed;
  /** Creates a feed whose store does not answer until `heal` is called. */
  createBroken(options: StoreLeaderFeedOptions): { feed: AnyFeed; heal(): Promise<void> };
  /** Cuts all connections of all feeds, once. */
  cutConnections(): Promise<void>;
  /** Writes an unrelated record that the feeds can see. Missing if the feed has no `change` events. */
  change?(): Promise<unknown>;
  dispose(): Promise<void>;
}

/** Long, because machines that run tests are slow. Milliseconds. */
const TIMEOUT = 15_000;

const TIMING = { heartbeatIntervalMs: 150, electionTimeoutMinMs: 400, electionTimeoutMaxMs: 1_200 };

function heldResources(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|Timeout/.test(kind)).length;
}

/** Declares the tests that the feed of every store must pass, in both modes. */
export function describeLeaderFeed(name: string, createHarness: () => Promise<LeaderFeedHarness>): void {
  describe.each<LeaderFeedMode>(['classic', 'strict'])(`${name} as a leader feed, %s`, (mode) => {
    let harness: LeaderFeedHarness;
    let feeds: AnyFeed[];

    beforeEach(async () => {
      feeds = [];
      harness = await createHarness();
    });

    afterEach(async () => {
      const running = feeds.filter(({ status }) => status !== 'stopped');
      await Promise.all(running.map((feed) => feed.stop()));
      await harness.dispose();
    });

    const make = () => {
      const feed = harness.createFeed({ ...TIMING, mode });
      feeds.push(feed);
      return feed;
    };
    const join = async (count: number) => {
      const joining = Array.from({ length: count }, make);
      await Promise.all(joining.map((feed) => feed.start()));
      return joining;
    };
    const agreed = (among: () => AnyFeed[] = () => feeds) =>
      eventually('one leader whom all know', TIMEOUT, () => {
        const living = among();
        const leaders = living.filter(({ isLeader }) => isLeader);
        const [leader] = leaders;
        return leaders.length === 1 && living.every((feed) => feed.leader === leader!.id) && leader;
      });
    const without = (feed: AnyFeed) => () => feeds.filter((other) => other !== feed);

    it('elects one node, and tells the others at once when it stops', async () => {
      await join(3);
      const first = await agreed();
      const { term } = first;
      const standstill = watchStandstill(1_000);
      await first.stop();
      expect([first.status, first.isLeader, first.leader]).toEqual(['stopped', false, null]);
      const second = await agreed(without(first));
      if (mode === 'strict') expect(second.term).toBeGreaterThan(term);
      await first.start();
      const last = await agreed();
      // On a busy machine a classic follower may elect itself at any time.
      if (mode === 'strict' && !standstill.end()) expect(last.id).toBe(second.id);
    }, 60_000);

    it('moves leadership to the named node, which keeps it', async () => {
      await join(3);
      const first = await agreed();
      const [second, third] = without(first)();
      await first.elect(second!.id);
      await eventually('the chosen one leads', TIMEOUT, () => second!.isLeader && !first.isLeader);
      await agreed();
      // Also when another node asks, and when the node asks for itself.
      await first.elect(third!.id);
      await eventually('the next one leads', TIMEOUT, () => third!.isLeader && !second!.isLeader);
      await first.elect();
      const standstill = watchStandstill(TIMING.electionTimeoutMinMs / 2);
      await eventually('the first one leads', TIMEOUT, () => first.isLeader && !third!.isLeader);
      const moved = vi.fn();
      for (const feed of feeds) feed.on('new state', moved);
      await sleep(2 * TIMING.heartbeatIntervalMs);
      const last = await agreed();
      // Followers that hear nothing for a while elect another leader.
      if (standstill.end()) return;
      if (mode === 'strict') expect(moved).not.toHaveBeenCalled();
      expect(last.id).toBe(first.id);
    }, 60_000);

    it('reports its state, the leaders and its subscription', async () => {
      const [a] = [make()];
      const events: string[] = [];
      a.on('subscribe started', () => events.push('subscribed'));
      a.on('new state', (state) => events.push(state));
      a.on('new leader', (id) => events.push(id === a.id ? 'me' : id));
      await a.start();
      await eventually('it leads', TIMEOUT, () => a.isLeader);
      await a.stop();
      expect(events).toEqual(['subscribed', 'leader', 'me', 'follower']);
    }, 60_000);

    it('reports when its connections break, and continues', async () => {
      await join(2);
      const first = await agreed();
      const broken = new Set<AnyFeed>();
      for (const feed of feeds)
        feed.on('subscribe error', (error) => {
          expect(error).toBeInstanceOf(Error);
          broken.add(feed);
        });
      const back = new Set<AnyFeed>();
      for (const feed of feeds) feed.on('subscribe started', () => back.add(feed));
      // A client that polls may use another connection and not notice.
      await eventually('all have noticed', TIMEOUT, async () => {
        await harness.cutConnections();
        await sleep(200);
        return broken.size === feeds.length;
      });
      await eventually('all hear again', TIMEOUT, () => back.size === feeds.length);
      const next = await agreed();
      if (mode === 'strict' && next !== first) expect(next.term).toBeGreaterThan(0);
    }, 60_000);

    it('fails to start without its store, and starts when the store is available', async () => {
      const { feed, heal } = harness.createBroken({ ...TIMING, mode });
      feeds.push(feed);
      await expect(feed.start()).rejects.toThrow(Error);
      expect(feed.status).toBe('stopped');
      await heal();
      await feed.start();
      await eventually('it leads', TIMEOUT, () => feed.isLeader);
    }, 60_000);

    it('leaves nothing behind when it stops, and starts again', async () => {
      const before = heldResources();
      const [a, b] = await join(2);
      await agreed();
      await Promise.all([a!.stop(), b!.stop()]);
      await eventually('no socket and no timer is left', TIMEOUT, () => heldResources() <= before);
      await Promise.all([a!.start(), b!.start()]);
      await agreed();
    }, 60_000);

    it('emits changes of other records, if supported', async () => {
      const [a] = await join(1);
      await agreed();
      const heard = vi.fn();
      a!.on('change', heard);
      if (!harness.change) return;
      await harness.change();
      await eventually('the change', TIMEOUT, () => heard.mock.calls.length > 0);
      await sleep(2 * TIMING.heartbeatIntervalMs);
      expect(heard).toHaveBeenCalledTimes(1);
    }, 60_000);
  });
}
