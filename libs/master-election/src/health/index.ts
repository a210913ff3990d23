export {
  type ElectionHealthDetails,
  MasterElectionHealthModule,
  MasterElectionHealthIndicator,
} from './master-election.health-indicator.js';
export type { ElectionHealthOptions } from './assess-election.js';
