export { FakeGroupMembership, GroupMembershipTestingModule } from './fake-group-membership.js';
