import { type DynamicModule, Module } from '@nestjs/common';
import { FakeGroupMembership } from './fake-group-membership.js';
import { GroupMembership } from './group-membership.js';

/** Replaces `GroupMembershipModule` in unit tests: provides a {@link FakeGroupMembership}. */
@Module({})
export class GroupMembershipTestingModule {
  static register({ isGlobal = false }: { readonly isGlobal?: boolean } = {}): DynamicModule {
    return {
      module: GroupMembershipTestingModule,
      global: isGlobal,
      providers: [
        { provide: FakeGroupMembership, useFactory: () => new FakeGroupMembership() },
        { provide: GroupMembership, useExisting: FakeGroupMembership },
      ],
      exports: [FakeGroupMembership, GroupMembership],
    };
  }
}
