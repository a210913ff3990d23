export {
  type GroupHealthDetails,
  type GroupHealthOptions,
  GroupMembershipHealthIndicator,
  GroupMembershipHealthModule,
} from './group-membership.health-indicator.js';
