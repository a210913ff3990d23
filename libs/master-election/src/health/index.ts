export type { ElectionHealthDetails } from './election-health-details.js';
export type { ElectionHealthOptions } from './election-health-options.js';
export { MasterElectionHealthModule } from './master-election-health.module.js';
export { MasterElectionHealthIndicator } from './master-election.health-indicator.js';
