export { describeLeaderStore } from './describe-leader-store.js';
export type { LeaderStoreHarness } from './leader-store-harness.js';
