/**
 * The base class of feeds, to extend for a store of your own.
 *
 * @example
 * ```ts
 * import { BaseLeaderFeed, type Done } from '@detector-cluster/leaderfeed/base';
 *
 * export class NatsLeaderFeed extends BaseLeaderFeed {
 *   _start(options: object, done: Done) {} // connect
 *   _create(done: Done) {} // make what is missing
 *   _subscribe(done: Done) {} // emit 'heartbeat', 'change' and 'subscribe error'
 *   _unsubscribe(done: Done) {}
 *   _heartbeat(done: Done) {} // write this.id and the store's time
 *   _elect(id: string | null, done: Done) {} // write id; null when the leader stops
 * }
 * ```
 * @packageDocumentation
 */
export { BaseLeaderFeed } from './base-leader-feed.js';
export type { Done } from './call-method.js';
export {
  FeedStoppedError,
  type HeartbeatDetails,
  type LeaderFeedEvents,
  type LeaderFeedState,
  type LeaderFeedStatus,
} from './leader-feed-events.js';
export type { LeaderFeedOptions, ResolvedLeaderFeedOptions } from './leader-feed-options.js';
