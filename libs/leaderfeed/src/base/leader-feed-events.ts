/** Whether this node leads. */
export type LeaderFeedState = 'follower' | 'leader';

/** The state of a feed in its life cycle. */
export type LeaderFeedStatus = 'starting' | 'started' | 'stopping' | 'stopped';

export type LeaderFeedEvents = {
  /** Something other than the leader changed. The argument depends on the store. */
  change: [change: unknown];
  /** This node starts or stops leading. */
  'new state': [state: LeaderFeedState];
  /** The known leader has changed. */
  'new leader': [leaderId: string];
  /** The subscription has started, for the first time or again after an error. */
  'subscribe started': [];
  /** The subscription broke or could not be renewed. The feed retries. In classic mode this node is a follower now. */
  'subscribe error': [error: Error];
  /** A heartbeat or an election by this node did not reach the store. In classic mode this node is a follower now. */
  'heartbeat error': [error: Error];
  /** For subclasses: the leader according to the record; `null` for none. */
  heartbeat: [leaderId: string | null, details?: HeartbeatDetails];
  /** A listener of another event threw. Without a listener for `error` the error becomes a warning of the process. */
  error: [error: Error];
};

/** A feed was stopped before it had started. */
export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly code = 'FEED_STOPPED';

  constructor() {
    super('the feed was stopped before it had started');
  }
}

/** Details of a record besides the leader. With them, the node distinguishes records that arrive late or twice from new ones. */
export interface HeartbeatDetails {
  /** Id of the node that wrote it. */
  readonly by: string;
  /** `elect` when it made a node the leader, `heartbeat` when the leader confirmed itself. */
  readonly kind: 'elect' | 'heartbeat';
  /** Number of the election that it belongs to. Each election has a higher number than all elections that its writer knew. */
  readonly election: number;
  /** When it was written, in milliseconds of the store's clock. */
  readonly at: number;
}
