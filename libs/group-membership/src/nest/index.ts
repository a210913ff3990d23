export {
  GroupMembership,
  type GroupMembershipStatus,
  JoinNotBegunError,
  JoinTimeoutError,
  GROUP_MEMBERSHIP_OPTIONS,
  GroupMembershipModule,
} from './group-membership.js';
