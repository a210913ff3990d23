import type { Server } from 'node:http';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkerWsAdapter } from './connections/worker-ws.adapter.js';
import type { WorkerOptions } from './worker-options.js';
import { WorkerModule } from './worker.module.js';

/** How long a connection may be idle: longer than proxies keep it (nginx 75 s), so that the server never closes first. Milliseconds. */
const KEEP_ALIVE_TIMEOUT = 90_000;

/** How much longer than it may be idle a connection may wait for the head of its next request. Milliseconds. */
const HEAD_TIMEOUT = 5_000;

/** The worker, not yet listening; WebSockets and HTTP share one port. */
export async function createWorkerApp(
  options: WorkerOptions,
  logger: LoggerService | false,
): Promise<INestApplication> {
  const app = await NestFactory.create(WorkerModule.forRoot(options), {
    logger,
    forceCloseConnections: true,
  });
  const server = app.getHttpServer() as Server;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.headersTimeout = KEEP_ALIVE_TIMEOUT + HEAD_TIMEOUT;
  app.useWebSocketAdapter(new WorkerWsAdapter(app));
  return app;
}
