export type { ClusterHealthDetails } from './cluster-health-details.js';
export type { ClusterHealthOptions } from './cluster-health-options.js';
export { DetectorClusterHealthModule } from './detector-cluster-health.module.js';
export { DetectorClusterHealthIndicator } from './detector-cluster.health-indicator.js';
