export {
  GroupMembership,
  type GroupMembershipStatus,
  JoinNotBegunError,
  JoinTimeoutError,
} from './group-membership.js';
export { GroupMembershipModule } from './group-membership.module.js';
export { GROUP_MEMBERSHIP_OPTIONS } from './group-membership.module-definition.js';
