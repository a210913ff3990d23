import type { HeartbeatDetails } from './heartbeat-details.js';

/** Whether this node leads. */
export type LeaderFeedState = 'follower' | 'leader';

/** Where the life of a feed has got to. */
export type LeaderFeedStatus = 'starting' | 'started' | 'stopping' | 'stopped';

export type LeaderFeedEvents = {
  /** Something other than who leads was changed; what it looks like depends on the store. */
  change: [change: unknown];
  /** This node begins or ceases to lead. */
  'new state': [state: LeaderFeedState];
  /** Another node leads than the last that was known. */
  'new leader': [leaderId: string];
  /** The subscription has started, for the first time or again after an error. */
  'subscribe started': [];
  /** The subscription broke, or could not be renewed; it is tried again. In classic mode this node is a follower now. */
  'subscribe error': [error: Error];
  /** A heartbeat or an election of its own did not reach the store. In classic mode this node is a follower now. */
  'heartbeat error': [error: Error];
  /** For classes that extend the base: the leader according to the record, `null` for none. */
  heartbeat: [leaderId: string | null, details?: HeartbeatDetails];
  /** A listener of another event threw. Without a listener it becomes a warning of the process. */
  error: [error: Error];
};
