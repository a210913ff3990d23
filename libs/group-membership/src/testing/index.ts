export { describeLeaderStore, type LeaderStoreHarness } from './describe-leader-store.js';
export { SimulatedClock } from './simulated-clock.js';
export { SimulatedGroup } from './simulated-group.js';
export type { SimulatedMember } from './simulated-member.js';
