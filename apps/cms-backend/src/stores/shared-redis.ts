import { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Redis } from 'ioredis';

/**
 * The process of the detector cluster, and its connections. This service uses them for its own calls of Redis. The cluster opens
 * and closes them. Commands fail within a second while Redis is unavailable.
 */
@Injectable()
export class SharedRedis {
  constructor(private readonly modules: ModuleRef) {}

  get commands(): Redis {
    return this.cluster.redis;
  }

  get subscriber(): SharedSubscriber {
    return this.cluster.subscriber;
  }

  get cluster(): MasterSlaveWorkerCluster {
    return this.modules.get(MasterSlaveWorkerCluster, { strict: false });
  }
}
