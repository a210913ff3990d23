import { Elector, type Lease } from '@detector-cluster/election';
import { type CampaignMemory, LeaseBackend } from '@detector-cluster/election/lease';
import type { FeedElection, FeedElectionListener } from '../base/feed-election.js';
import type { ResolvedLeaderFeedOptions } from '../base/leader-feed-options.js';
import type { LeaderFeedState } from '../base/leader-feed-events.js';
import type { LeaseStore } from './lease-store.js';
import { callTimeoutOf, resolveLeaseTiming, type LeaseTiming } from './lease-timing.js';

/** A lease in the store decides which node leads, so that two nodes never lead at once. */
export class StrictElection implements FeedElection {
  private readonly elector: Elector;
  private readonly backend: LeaseBackend;
  private known: string | null = null;
  private started = false;

  /** @param memory Of the node: it outlives this election, which ends when the feed stops. */
  constructor(
    name: string,
    private readonly lease: LeaseStore,
    { id, clock, random, ...durations }: ResolvedLeaderFeedOptions,
    listener: FeedElectionListener,
    memory?: CampaignMemory,
  ) {
    const timing = strictTiming(durations);
    const callTimeout = callTimeoutOf(timing.lockTtl);
    this.backend = new LeaseBackend({ name, store: lease, timing, callTimeout, clock, random, memory });
    this.elector = new Elector({ backend: this.backend, candidate: { id }, clock });
    this.elector.on('acquired', () => {
      listener.state('leader');
      this.learn(id, listener);
    });
    this.elector.on('lost', () => listener.state('follower'));
    this.elector.on('follower', ({ leaderId }) => this.learn(leaderId, listener));
    this.elector.on('error', (error) => listener.heartbeatError(error));
  }

  get state(): LeaderFeedState {
    return this.elector.lease ? 'leader' : 'follower';
  }

  get leader(): string | null {
    return this.elector.leaderId;
  }

  /** The term. */
  get election(): number {
    return this.elector.term;
  }

  /** While this node leads: whether it may act at this instant, and in which term. */
  get currentLease(): Lease | null {
    return this.elector.lease;
  }

  subscribed(): void {
    if (!this.started) this.elector.start();
    this.started = true;
    this.backend.current?.wake();
  }

  /** Followers also read the lease periodically. */
  deaf(): void {}

  /** The record adds nothing to the lease. */
  heard(): void {}

  leaseChanged(): void {
    this.backend.current?.changed();
  }

  async elect(id: string): Promise<void> {
    await this.lease.nominate(id, this.backend.lockTtl);
    this.backend.current?.wake();
  }

  async end(): Promise<void> {
    await this.elector.stop();
  }

  private learn(leaderId: string | null, listener: FeedElectionListener): void {
    if (leaderId === this.known) return;
    this.known = leaderId;
    if (leaderId !== null) listener.leader(leaderId);
  }
}

/** Converts the durations of a feed into those of a lease. */
export function strictTiming(
  options: Omit<ResolvedLeaderFeedOptions, 'id' | 'clock' | 'random'>,
): LeaseTiming {
  return resolveLeaseTiming({
    lockTtl: options.electionTimeoutMaxMs,
    heartbeatInterval: options.heartbeatIntervalMs,
    checkInterval: options.electionTimeoutMinMs,
  });
}
