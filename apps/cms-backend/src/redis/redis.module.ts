import { Global, Module } from '@nestjs/common';
import { RedisHealth } from './redis-health.js';

@Global()
@Module({ providers: [RedisHealth], exports: [RedisHealth] })
export class RedisModule {}
