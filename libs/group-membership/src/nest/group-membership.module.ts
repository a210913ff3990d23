import { Module } from '@nestjs/common';
import { GroupMembership } from './group-membership.js';
import { ConfigurableModuleClass, GROUP_MEMBERSHIP_OPTIONS } from './group-membership.module-definition.js';

/**
 * Provides {@link GroupMembership}. `forRoot(options)` or `forRootAsync({ useFactory | useClass | useExisting, inject, imports })`,
 * both with `isGlobal` (default false).
 */
@Module({ providers: [GroupMembership], exports: [GroupMembership, GROUP_MEMBERSHIP_OPTIONS] })
export class GroupMembershipModule extends ConfigurableModuleClass {}
