import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkerWsAdapter } from './connections/worker-ws.adapter.js';
import type { WorkerOptions } from './options/worker-options.js';
import { WorkerModule } from './worker.module.js';

/** The worker, not yet listening; WebSockets and HTTP share one port. */
export async function createWorkerApp(
  options: WorkerOptions,
  logger: LoggerService | false,
): Promise<INestApplication> {
  const app = await NestFactory.create(WorkerModule.forRoot(options), {
    logger,
    forceCloseConnections: true,
  });
  app.useWebSocketAdapter(new WorkerWsAdapter(app));
  return app;
}
