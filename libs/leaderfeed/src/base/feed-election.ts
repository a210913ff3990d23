import type { HeartbeatDetails, LeaderFeedState } from './leader-feed-events.js';

/** The election algorithm while a feed is started. */
export interface FeedElection {
  readonly state: LeaderFeedState;
  /** The leader, as far as this node knows. */
  readonly leader: string | null;
  /** Number of the last known election. */
  readonly election: number;
  /** The subscription has started, or started again. */
  subscribed(): void;
  /** The subscription broke. The node hears nothing until {@link subscribed}. */
  deaf(): void;
  /** The feed delivered a record. */
  heard(leaderId: string | null, details?: HeartbeatDetails): void;
  /** Makes a node the leader. */
  elect(id: string): Promise<void>;
  /** Gives up leadership, informs the other nodes, and ends. Never rejects. */
  end(): Promise<void>;
}

/** What an election reports. */
export interface FeedElectionListener {
  state(state: LeaderFeedState): void;
  leader(leaderId: string): void;
  heartbeatError(error: Error): void;
}
