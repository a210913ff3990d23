export type { ClusterHealthDetails, ClusterHealthOptions } from './detector-cluster.health-indicator.js';
export {
  DetectorClusterHealthIndicator,
  DetectorClusterHealthModule,
} from './detector-cluster.health-indicator.js';
