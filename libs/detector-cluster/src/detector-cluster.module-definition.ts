import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { DetectorClusterOptions } from './options/detector-cluster-options.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<DetectorClusterOptions>({ moduleName: 'DetectorCluster' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
