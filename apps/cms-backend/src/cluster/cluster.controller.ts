import {
  type ActualCameraSubscription,
  type ClusterCapacity,
  DetectorCluster,
  type PlanReport,
  type SkippedDisplay,
} from '@detector-cluster/detector-cluster';
import type { SubscriptionExplanation } from '@detector-cluster/detector-cluster/planner';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import type { IdentifiedRequest } from '../http/api-key.guard.js';
import { identifierParam } from '../http/fields.js';
import { contains, type Page, pageOf } from '../http/pagination.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';
import {
  acceptedSchema,
  capacitySchema,
  type AcceptedView,
  clusterStateSchema,
  type EmptyRequest,
  emptyRequestSchema,
  explanationSchema,
  type PlanQuery,
  planQuerySchema,
  planSchema,
  rebalanceSchema,
  type RebalanceView,
  skippedPageSchema,
  type SkippedQuery,
  skippedQuerySchema,
  subscriptionPageSchema,
  type SubscriptionsQuery,
  subscriptionsQuerySchema,
  toClusterState,
} from './cluster.schema.js';
import { findSubscriptions } from './find-subscriptions.js';

const updateSessionSchema = z
  .strictObject({ sessionId: z.int('must be a whole number or null').nullable() })
  .meta({ id: 'UpdateSession', description: 'Null ends the session' });

const sessionSchema = z
  .object({ subscriptionIdentifier: z.string(), sessionId: z.int().nullable() })
  .meta({ id: 'Session', description: 'The session of all subscriptions of the display' });

type UpdateSession = z.infer<typeof updateSessionSchema>;
type SessionView = z.infer<typeof sessionSchema>;

@Controller('api/cluster')
@UseGuards(RedisGuard)
export class ClusterController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get('state')
  @Operation({ summary: 'Workers, processes and the owner of each partition', answer: clusterStateSchema })
  async state() {
    return toClusterState(await this.cluster.getState());
  }

  @Get('subscriptions')
  @Operation({ summary: 'List subscriptions', answer: subscriptionPageSchema })
  subscriptions(
    @Query({ schema: subscriptionsQuerySchema }) query: SubscriptionsQuery,
  ): Promise<Page<ActualCameraSubscription>> {
    return findSubscriptions(this.cluster, query);
  }

  @Get('skipped-displays')
  @Operation({ summary: 'List displays without a subscription, and why', answer: skippedPageSchema })
  async skipped(
    @Query({ schema: skippedQuerySchema }) { reason = '', ...page }: SkippedQuery,
  ): Promise<Page<SkippedDisplay>> {
    const { skipped } = await this.cluster.getSubscriptions();
    return pageOf(
      skipped.filter((display) => contains(display.reason, reason)),
      page,
      (display, field) => display[(field ?? 'displayId') as 'displayId' | 'reason'],
      ({ displayId }) => displayId,
    );
  }

  @Put('subscriptions/:subscriptionIdentifier/session')
  @Operation({ summary: 'Set the session of a display', answer: sessionSchema })
  async setSession(
    @Param('subscriptionIdentifier', { schema: identifierParam }) subscriptionIdentifier: string,
    @Body({ schema: updateSessionSchema }) { sessionId }: UpdateSession,
  ): Promise<SessionView> {
    await this.cluster.setSessionId(subscriptionIdentifier, sessionId);
    return { subscriptionIdentifier, sessionId };
  }

  @Post('regenerate')
  @HttpCode(200)
  @Operation({ summary: 'Read the desired state and plan now', answer: acceptedSchema })
  async regenerate(@Body({ schema: emptyRequestSchema }) _body: EmptyRequest): Promise<AcceptedView> {
    return { accepted: await this.cluster.regenerate() };
  }

  @Post('rebalance')
  @HttpCode(200)
  @Operation({ summary: 'Read the desired state, plan and rebalance now', answer: acceptedSchema })
  async rebalance(
    @Req() { caller }: IdentifiedRequest,
    @Body({ schema: emptyRequestSchema }) _body: EmptyRequest,
  ): Promise<AcceptedView> {
    const options = caller === undefined ? {} : { by: caller.name };
    return { accepted: await this.cluster.rebalanceWorkers(options) };
  }

  @Get('rebalance')
  @Operation({
    summary: 'How far the last requested rebalance has come; 404 if none was requested',
    problems: [404],
    answer: rebalanceSchema,
  })
  async rebalanceProgress(): Promise<RebalanceView> {
    const progress = await this.cluster.getRebalance();
    if (progress === null) throw problems.notFound('no rebalance was requested');
    return progress;
  }

  @Get('plan')
  @Operation({
    summary: 'The plan that the master would make now, without carrying it out',
    answer: planSchema,
  })
  plan(@Query({ schema: planQuerySchema }) { rebalance }: PlanQuery): Promise<PlanReport> {
    return this.cluster.plan({ dryRun: true, rebalance });
  }

  @Get('capacity')
  @Operation({
    summary: 'Whether the workers are enough, for people and for autoscalers',
    answer: capacitySchema,
  })
  async capacity(): Promise<ClusterCapacity> {
    const { capacity } = await this.cluster.plan({ dryRun: true });
    return capacity;
  }

  @Get('subscriptions/:subscriptionIdentifier/explain')
  @Operation({
    summary: 'Why a subscription runs on its worker, or on none',
    problems: [404],
    answer: explanationSchema,
  })
  explain(
    @Param('subscriptionIdentifier', { schema: identifierParam }) subscriptionIdentifier: string,
  ): Promise<SubscriptionExplanation> {
    return this.cluster.explain(subscriptionIdentifier);
  }
}
