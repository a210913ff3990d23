export {
  GroupMembershipMetricsModule,
  type GroupMembershipMetricsOptions,
} from './group-membership-metrics.module.js';
export { registerGroupMembershipMetrics } from './register-group-membership-metrics.js';
