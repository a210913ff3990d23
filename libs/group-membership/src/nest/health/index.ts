export type { GroupHealthOptions } from './assess-group.js';
export { GroupMembershipHealthModule } from './group-membership-health.module.js';
export {
  GroupMembershipHealthIndicator,
  type GroupHealthDetails,
} from './group-membership.health-indicator.js';
