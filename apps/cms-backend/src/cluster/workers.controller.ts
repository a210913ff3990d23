import {
  DetectorCluster,
  type WorkerConnectionState,
  type WorkerStanding,
} from '@detector-cluster/detector-cluster';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { noteChange } from '../http/audit-trail.js';
import { anyText } from '../http/fields.js';
import { contains, listQuerySchema, type Page, pageOf, pageSchema, textFilter } from '../http/pagination.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';
import {
  type EmptyRequest,
  emptyRequestSchema,
  STANDINGS,
  WORKER_STATES,
  workerSchema,
} from './cluster.schema.js';

/** The name of a worker in a path. */
const workerParam = anyText(2_048)
  .min(1)
  .meta({
    description: 'URL of the worker without credentials, percent-encoded, or the host and port of its URL',
    examples: ['worker1:8000'],
  });

const workersQuerySchema = listQuerySchema(
  ['url', 'subscriptionCount'],
  {
    state: z.enum(WORKER_STATES, `must be one of ${WORKER_STATES.join(', ')}`).optional(),
    standing: z.enum(STANDINGS, `must be one of ${STANDINGS.join(', ')}`).optional(),
    text: textFilter.meta({ description: 'Only workers with this text in their name or URL' }),
  },
  'by url',
);

type WorkersQuery = z.infer<typeof workersQuerySchema>;

const workerPageSchema = pageSchema('WorkerPage', workerSchema);

const workerStandingSchema = z
  .object({
    accepted: z.literal(true),
    changed: z.boolean().meta({ description: 'False when the worker already had this standing' }),
    standing: z.enum(STANDINGS).meta({ description: 'The standing of the worker now' }),
    since: z.string().nullable().meta({ description: 'Since when; null for open' }),
  })
  .meta({ id: 'WorkerStanding' });

const drainForecastSchema = z
  .object({
    cameras: z.int().meta({ description: 'Cameras that run on the worker' }),
    withoutRoom: z.int().meta({ description: 'Cameras that would have no worker' }),
    deadline: z.int().meta({ description: 'Milliseconds for which a drain waits for room; then they stop' }),
  })
  .meta({ id: 'DrainForecast' });

type WorkerStandingView = z.infer<typeof workerStandingSchema>;

/** The workers, and what operators do with them. A worker is named by its URL, or by the host and port of its URL. */
@Controller('api/cluster/workers')
@UseGuards(RedisGuard)
export class WorkersController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'List workers', answer: workerPageSchema })
  async list(
    @Query({ schema: workersQuerySchema }) { state, standing, text = '', ...page }: WorkersQuery,
  ): Promise<Page<WorkerConnectionState>> {
    const { workers } = await this.cluster.getState();
    const found = workers.filter(
      (worker) =>
        (state === undefined || worker.state === state) &&
        (standing === undefined || worker.standing === standing) &&
        contains(`${worker.name ?? ''}\n${worker.url}`, text),
    );
    return pageOf(found, page, valueOf, ({ url }) => url);
  }

  @Get(':worker')
  @Operation({ summary: 'Read a worker', problems: [404], answer: workerSchema })
  async read(@Param('worker', { schema: workerParam }) worker: string): Promise<WorkerConnectionState> {
    const found = await this.find(worker);
    if (found === null) throw problems.notFound(`there is no worker ${JSON.stringify(worker)}`);
    return found;
  }

  @Get(':worker/drain')
  @Operation({ summary: 'What a drain of a worker would do', problems: [404], answer: drainForecastSchema })
  async previewDrain(
    @Param('worker', { schema: workerParam }) worker: string,
  ): Promise<z.infer<typeof drainForecastSchema>> {
    return this.cluster.previewDrain((await this.find(worker))?.url ?? worker);
  }

  @Post(':worker/drain')
  @HttpCode(200)
  @Operation({
    summary: 'Drain a worker: its subscriptions move to other workers',
    problems: [404],
    answer: workerStandingSchema,
  })
  drain(
    @Param('worker', { schema: workerParam }) worker: string,
    @Body({ schema: emptyRequestSchema }) _body: EmptyRequest,
  ): Promise<WorkerStandingView> {
    return this.set(worker, 'draining');
  }

  @Post(':worker/cordon')
  @HttpCode(200)
  @Operation({
    summary: 'Cordon a worker: it gets no new subscriptions; a drain stops',
    problems: [404],
    answer: workerStandingSchema,
  })
  cordon(
    @Param('worker', { schema: workerParam }) worker: string,
    @Body({ schema: emptyRequestSchema }) _body: EmptyRequest,
  ): Promise<WorkerStandingView> {
    return this.set(worker, 'cordoned');
  }

  @Post(':worker/uncordon')
  @HttpCode(200)
  @Operation({
    summary: 'Uncordon a worker: it accepts new subscriptions',
    problems: [404],
    answer: workerStandingSchema,
  })
  uncordon(
    @Param('worker', { schema: workerParam }) worker: string,
    @Body({ schema: emptyRequestSchema }) _body: EmptyRequest,
  ): Promise<WorkerStandingView> {
    return this.set(worker, 'open');
  }

  private async set(worker: string, standing: WorkerStanding): Promise<WorkerStandingView> {
    // A worker that was just added has no state yet. The cluster knows it by its URL.
    const { url } = (await this.find(worker)) ?? { url: worker };
    const { former, ...result } = await this.cluster.setWorkerStanding(url, standing);
    noteChange({ standing: former });
    return { accepted: true, ...result };
  }

  /** Null if no worker or several workers have this host and port. */
  private async find(worker: string): Promise<WorkerConnectionState | null> {
    const { workers } = await this.cluster.getState();
    const exact = workers.find(({ url }) => url === worker);
    if (exact !== undefined) return exact;
    const [found, ...others] = workers.filter(({ url }) => URL.canParse(url) && new URL(url).host === worker);
    return others.length > 0 ? null : (found ?? null);
  }
}

function valueOf({ subscriptionCount, url }: WorkerConnectionState, field: string | null): string | number {
  return field === 'subscriptionCount' ? subscriptionCount : url;
}
