import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import type { GroupOptions } from '../session/create-group-member.js';
import { GROUP_MEMBERSHIP_OPTIONS, GroupMembership } from './group-membership.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<GroupOptions>({
  optionsInjectionToken: GROUP_MEMBERSHIP_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createGroupMembershipOptions')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/**
 * Provides {@link GroupMembership}. `forRoot(options)` or `forRootAsync({ useFactory | useClass | useExisting, inject, imports })`,
 * both with `isGlobal` (default false).
 */
@Module({ providers: [GroupMembership], exports: [GroupMembership, GROUP_MEMBERSHIP_OPTIONS] })
export class GroupMembershipModule extends ConfigurableModuleClass {}
