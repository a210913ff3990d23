export {
  GroupMembershipMetricsModule,
  type GroupMembershipMetricsOptions,
  registerGroupMembershipMetrics,
} from './group-membership-metrics.module.js';
