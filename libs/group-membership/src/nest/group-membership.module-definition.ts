import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { GroupOptions } from '../create-group-member.js';

/** Injection token of the options, as given. */
export const GROUP_MEMBERSHIP_OPTIONS = Symbol('GROUP_MEMBERSHIP_OPTIONS');

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<GroupOptions>({ optionsInjectionToken: GROUP_MEMBERSHIP_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createGroupMembershipOptions')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
