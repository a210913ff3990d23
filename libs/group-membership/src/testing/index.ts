/**
 * A group in virtual time, and the tests that every leader store must pass.
 *
 * @example
 * ```ts
 * import { SimulatedGroup } from '@detector-cluster/group-membership/testing';
 *
 * const group = new SimulatedGroup(1); // the seed
 * await group.start(5);
 * console.log(group.leader?.id);
 * ```
 * @packageDocumentation
 */
export { describeLeaderStore, type LeaderStoreHarness } from './describe-leader-store.js';
export { SimulatedClock } from './simulated-clock.js';
export { SimulatedGroup } from './simulated-group.js';
export type { SimulatedMember } from './simulated-member.js';
