/**
 * A membership without sockets and store, for tests of an application.
 *
 * @example
 * ```ts
 * import { FakeGroupMembership } from '@detector-cluster/group-membership/nest/testing';
 *
 * const group = new FakeGroupMembership();
 * group.becomeLeader(); // isLeader() is true, in term 1
 * group.followLeader(2); // another member leads, in term 2
 * ```
 * @packageDocumentation
 */
export { FakeGroupMembership } from './fake-group-membership.js';
export { GroupMembershipTestingModule } from './group-membership-testing.module.js';
