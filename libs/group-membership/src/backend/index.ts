/**
 * A group as the backend of an election.
 *
 * @example
 * ```ts
 * import { GroupElectionBackend } from '@detector-cluster/group-membership/backend';
 * import { RedisLeaderStore } from '@detector-cluster/group-membership/redis';
 *
 * const backend = new GroupElectionBackend({
 *   internalAddress: '10.0.0.7:7400',
 *   secret: process.env.GROUP_SECRET!,
 *   tls: false, // in a private network; else { key, cert, ca }
 *   store: new RedisLeaderStore({ redis: 'redis://localhost:6379' }),
 * });
 * ```
 * @packageDocumentation
 */
export { GroupElectionBackend, type GroupElectionOptions } from './group-election-backend.js';
