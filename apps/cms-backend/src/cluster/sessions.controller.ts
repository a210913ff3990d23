import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Controller, Get, Inject, type OnModuleInit, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { type Page, pageSchema } from '../http/pagination.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  SessionStore,
  type SessionsQuery,
  sessionsQuerySchema,
  storedSessionSchema,
  type StoredSessionView,
} from './session-store.js';

/** A session in a path, as the API sets it for a display. */
const sessionIdParam = z.coerce.number('must be a whole number').int('must be a whole number');

/** What workers report about sessions. The master stores it, and every process shows it. */
@Controller('api/sessions')
export class SessionsController implements OnModuleInit {
  private readonly sessions: SessionStore;

  constructor(
    private readonly cluster: DetectorCluster,
    @Inject(PRISMA) prisma: PrismaClient,
  ) {
    this.sessions = new SessionStore(prisma);
  }

  onModuleInit(): void {
    this.cluster.onPatchSession((patch, signal) => this.sessions.take(patch, signal));
  }

  @Get()
  @Operation({
    summary: 'List the sessions that workers have patched',
    answer: pageSchema('StoredSessionPage', storedSessionSchema),
  })
  list(@Query({ schema: sessionsQuerySchema }) query: SessionsQuery): Promise<Page<StoredSessionView>> {
    return this.sessions.list(query);
  }

  @Get(':sessionId')
  @Operation({
    summary: 'Read what workers have reported about a session',
    problems: [404],
    answer: storedSessionSchema,
  })
  async read(@Param('sessionId', { schema: sessionIdParam }) sessionId: number): Promise<StoredSessionView> {
    const session = await this.sessions.read(sessionId);
    if (session === null) throw problems.notFound(`no worker has patched session ${sessionId}`);
    return session;
  }
}
