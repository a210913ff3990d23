export { FakeGroupMembership } from './fake-group-membership.js';
export { GroupMembershipTestingModule } from './group-membership-testing.module.js';
