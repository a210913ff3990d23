import { DetectorCluster, type DetectorClusterState } from '@detector-cluster/detector-cluster';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  SerializeOptions,
  UseGuards,
} from '@nestjs/common';
import { identifierParam } from '../http/fields/fields.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../redis/redis.guard.js';
import {
  clusterStateSchema,
  rebalanceSchema,
  subscriptionsSchema,
  type RebalanceView,
  type SubscriptionsView,
} from './cluster.schema.js';
import {
  sessionSchema,
  updateSessionSchema,
  type SessionView,
  type UpdateSession,
} from './session.schema.js';

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

  @Put('subscriptions/:subscriptionIdentifier/session')
  @Operation({ summary: 'Tell the workers the session of a display', problems: [400, 413, 415, 422] })
  @SerializeOptions({ schema: sessionSchema })
  async setSession(
    @Param('subscriptionIdentifier', { schema: identifierParam }) subscriptionIdentifier: string,
    @Body({ schema: updateSessionSchema }) { sessionId }: UpdateSession,
  ): Promise<SessionView> {
    await this.cluster.setSessionId(subscriptionIdentifier, sessionId);
    return { subscriptionIdentifier, sessionId };
  }

  @Post('rebalance')
  @HttpCode(200)
  @Operation({ summary: 'Have the master read the desired state and reconcile at once' })
  @SerializeOptions({ schema: rebalanceSchema })
  async rebalance(): Promise<RebalanceView> {
    return { accepted: await this.cluster.rebalanceWorkers() };
  }
}
