export { describeLeaderStore, type LeaderStoreHarness } from './describe-leader-store.js';
export { SimulatedClock } from './simulation/simulated-clock.js';
export { SimulatedGroup } from './simulation/simulated-group.js';
export type { SimulatedMember } from './simulation/simulated-member.js';
