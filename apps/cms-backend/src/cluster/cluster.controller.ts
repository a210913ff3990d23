import { DetectorCluster, type DetectorClusterState } from '@detector-cluster/detector-cluster';
import { Controller, Get, SerializeOptions, UseGuards } from '@nestjs/common';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import { clusterStateSchema, subscriptionsSchema, type SubscriptionsView } from './cluster.schema.js';

@Controller('api/cluster')
@UseGuards(RedisGuard)
export class ClusterController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get('state')
  @Operation({ summary: 'Workers, processes and who receives whose detections' })
  @SerializeOptions({ schema: clusterStateSchema })
  state(): Promise<DetectorClusterState> {
    return this.cluster.getState();
  }

  @Get('subscriptions')
  @Operation({ summary: 'Subscriptions, and displays that yield none' })
  @SerializeOptions({ schema: subscriptionsSchema })
  async subscriptions(): Promise<SubscriptionsView> {
    return this.cluster.getSubscriptions();
  }
}
