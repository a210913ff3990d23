import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './leader-feed.module-definition.js';

/**
 * Provides a `FeedLeadership`. `forRoot({ feed, start })` or `forRootAsync({ useFactory | useClass | useExisting, inject, imports })`,
 * both with `isGlobal` (default false) and, for each further feed of an application, with a `name`.
 */
@Module({})
export class LeaderFeedModule extends ConfigurableModuleClass {}
