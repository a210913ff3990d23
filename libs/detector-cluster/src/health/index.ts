export type { ClusterHealthDetails, ClusterHealthOptions } from './cluster-health-details.js';
export {
  DetectorClusterHealthIndicator,
  DetectorClusterHealthModule,
} from './detector-cluster.health-indicator.js';
