export { describeLeaderStore } from './describe-leader-store.js';
export type { LeaderStoreHarness } from './leader-store-harness.js';
export { SimulatedClock } from './simulation/simulated-clock.js';
export { SimulatedGroup } from './simulation/simulated-group.js';
export type { SimulatedMember } from './simulation/simulated-member.js';
