export type { GroupMembershipStatus } from './group-membership-status.js';
export { GroupMembership } from './group-membership.js';
export { GroupMembershipModule } from './group-membership.module.js';
export { GROUP_MEMBERSHIP_OPTIONS } from './group-membership.tokens.js';
export { JoinNotBegunError } from './join-not-begun.error.js';
export { JoinTimeoutError } from './join-timeout.error.js';
