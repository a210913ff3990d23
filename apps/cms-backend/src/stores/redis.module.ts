import { Global, Module } from '@nestjs/common';
import { RedisHealth } from './redis-health.js';
import { SharedRedis } from './shared-redis.js';

@Global()
@Module({ providers: [RedisHealth, SharedRedis], exports: [RedisHealth, SharedRedis] })
export class RedisModule {}
