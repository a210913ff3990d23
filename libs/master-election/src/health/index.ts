export {
  type ElectionHealthDetails,
  MasterElectionHealthModule,
  MasterElectionHealthIndicator,
  type ElectionHealthOptions,
} from './master-election.health-indicator.js';
