import { MasterElection } from '@detector-cluster/master-election';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { AppModule } from './app.module.js';
import type { AppConfig } from './config/app-config.js';
import { dashboardFiles, dashboardFolder } from './dashboard/files/dashboard-files.js';
import { securityHeaders } from './dashboard/files/security-headers.js';
import { DashboardWsAdapter } from './dashboard/pages/dashboard-ws.adapter.js';
import { requireKnownHost } from './http/known-host.js';
import { requireKnownMethod } from './http/known-method.js';
import { noStore } from './http/no-store.js';
import { RateLimit } from './http/rate-limit.js';
import { requireSameOrigin } from './http/require-same-origin.middleware.js';
import { JSON_TYPES, requireJson } from './http/require-json.middleware.js';
import { OpenApiService } from './openapi/openapi.service.js';
import { StderrLogger } from './logging/stderr-logger.js';

const BODY_LIMIT = '1mb';

/** The whole application for one configuration, not yet listening. */
export async function createApp(config: AppConfig): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), {
    logger: new StderrLogger({
      logLevels: config.logLevels,
      colors: config.logFormat === 'text' && process.stderr.isTTY === true,
      json: config.logFormat === 'json',
    }),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.set('trust proxy', config.http.trustedProxies);
  app.useWebSocketAdapter(new DashboardWsAdapter(app));
  app.use(securityHeaders);
  app.use(requireKnownHost(config.http));
  app.use(compression());
  app.use(dashboardFiles(dashboardFolder()));
  app.use(noStore);
  app.use(app.get(RateLimit, { strict: false }).middleware);
  app.use(requireKnownMethod(() => app.get(OpenApiService, { strict: false }).routes()));
  app.use(requireSameOrigin);
  app.use(requireJson);
  app.useBodyParser('json', { limit: BODY_LIMIT, type: JSON_TYPES });
  return app;
}

/** Under which name the process of this application takes part in the election. */
export function nodeIdOf(app: NestExpressApplication): string {
  return app.get(MasterElection, { strict: false }).getNodeId();
}
