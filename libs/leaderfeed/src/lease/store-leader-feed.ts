import type { Lease } from '@detector-cluster/election';
import { CampaignMemory } from '@detector-cluster/election/lease';
import { BaseLeaderFeed } from '../base/base-leader-feed.js';
import type { FeedElection, FeedElectionListener } from '../base/feed-election.js';
import type { LeaderFeedOptions } from '../base/leader-feed-options.js';
import { callTimeoutOf } from './lease-timing.js';
import { strictTiming, StrictElection } from './strict-election.js';
import type { FeedStore } from './feed-store.js';

/**
 * `classic`: the algorithm of leaderfeed. Two nodes can lead for a while. `strict`: an election is a compare-and-set in the store, and
 * a leader stops when its lease ends, so two nodes never lead at once.
 */
export type LeaderFeedMode = 'classic' | 'strict';

export interface StoreLeaderFeedOptions extends LeaderFeedOptions {
  /** Default `classic`. All nodes of an election need the same mode. */
  readonly mode?: LeaderFeedMode;
}

const FEED_OPTIONS: Readonly<Record<keyof StoreLeaderFeedOptions, true>> = {
  id: true,
  mode: true,
  createIfMissing: true,
  heartbeatIntervalMs: true,
  electionTimeoutMinMs: true,
  electionTimeoutMaxMs: true,
  clock: true,
  random: true,
};

const isOfFeed = ([name]: readonly [string, unknown]) => Object.hasOwn(FEED_OPTIONS, name);

/** Separates the options of the feed from those that its driver gets. */
export function splitFeedOptions<T extends StoreLeaderFeedOptions>(
  options: T,
): [feed: StoreLeaderFeedOptions, rest: Omit<T, keyof StoreLeaderFeedOptions>] {
  const entries = Object.entries(options);
  return [
    Object.fromEntries(entries.filter(isOfFeed)),
    Object.fromEntries(entries.filter((entry) => !isOfFeed(entry))) as Omit<T, keyof StoreLeaderFeedOptions>,
  ];
}

/** A feed over one of the stores of this package. */
export abstract class StoreLeaderFeed<StartOptions extends object> extends BaseLeaderFeed<StartOptions> {
  readonly mode: LeaderFeedMode;
  private readonly memory = new CampaignMemory();
  private openStore: FeedStore | undefined;
  private strict: StrictElection | undefined;

  /** @throws RangeError that names every invalid option. */
  constructor(options: StoreLeaderFeedOptions = {}) {
    super(options);
    const { mode = 'classic' } = options;
    if (mode !== 'classic' && mode !== 'strict')
      throw new RangeError(`mode must be 'classic' or 'strict', not ${JSON.stringify(mode)}`);
    if (mode === 'strict') strictTiming(this.settings);
    this.mode = mode;
  }

  /** The fencing token of the current leader in strict mode. Increases with each change. 0 before the first, and in classic mode. */
  get term(): number {
    return this.strict?.election ?? 0;
  }

  /** Set while this node leads in strict mode. Call `isValid()` immediately before every act. */
  get lease(): Lease | null {
    return this.strict?.currentLease ?? null;
  }

  /**
   * Creates the store that `options` name, without connecting. Throws when they name none.
   * @param timeout Of each call of the store. Milliseconds.
   */
  protected abstract createStore(options: StartOptions, timeout: number): FeedStore;

  /** The store while the feed is started. */
  protected get store(): FeedStore | undefined {
    return this.openStore;
  }

  protected override createElection(listener: FeedElectionListener): FeedElection {
    this.strict = undefined;
    if (this.mode === 'classic') return super.createElection(listener);
    const lease = () => this.opened.lease;
    this.strict = new StrictElection(
      this.constructor.name,
      {
        acquire: (claim) => lease().acquire(claim),
        renew: (claim) => lease().renew(claim),
        release: (claim) => lease().release(claim),
        nominate: (id, ttl) => lease().nominate(id, ttl),
      },
      this.settings,
      listener,
      this.memory,
    );
    return this.strict;
  }

  // Methods that take no `done` are done when their promise is.
  protected async _start(options: StartOptions): Promise<void> {
    this.openStore = this.createStore(options, callTimeoutOf(this.settings.electionTimeoutMaxMs));
    await this.openStore.open();
  }

  protected _create(): Promise<void> {
    return this.opened.create();
  }

  protected _subscribe(): Promise<void> {
    return this.opened.subscribe({
      heard: ({ leader, ...details }) => this.emit('heartbeat', leader, details),
      changed: (change) => this.emit('change', change),
      leaseChanged: () => this.strict?.leaseChanged(),
      failed: (error) => this.emit('subscribe error', error),
    });
  }

  protected async _unsubscribe(): Promise<void> {
    await this.openStore?.unsubscribe();
  }

  protected _heartbeat(): Promise<void> {
    const { id, lastElection: election } = this;
    return this.opened.write({ leader: id, by: id, kind: 'heartbeat', election });
  }

  protected _elect(leader: string | null): Promise<void> {
    return this.opened.write({ leader, by: this.id, kind: 'elect', election: this.lastElection + 1 });
  }

  protected override async _stop(): Promise<void> {
    const store = this.openStore;
    this.openStore = undefined;
    await store?.close();
  }

  private get opened(): FeedStore {
    if (!this.openStore) throw new Error('the feed is stopped');
    return this.openStore;
  }
}
