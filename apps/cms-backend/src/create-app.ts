import { FormatLevelError, MasterElection } from '@detector-cluster/master-election';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { errorMonitor } from 'node:events';
import { AppModule } from './app.module.js';
import type { AppConfig } from './config/app-config.js';
import { dashboardFiles, dashboardFolder, securityHeaders } from './dashboard/dashboard-files.js';
import { DashboardWsAdapter } from './dashboard/dashboard-ws.adapter.js';
import { DrainingAdapter } from './http/draining-adapter.js';
import { requireKnownHost, requireKnownMethod, requireSameOrigin } from './http/request-checks.js';
import { problems } from './http/problems.js';
import { RateLimit } from './http/rate-limit.js';
import { StderrLogger } from './stderr-logger.js';
import { OpenApiController } from './openapi/openapi.controller.js';

const BODY_LIMIT = '1mb';

/** The whole application for one configuration, not yet listening. */
export async function createApp(config: AppConfig): Promise<NestExpressApplication> {
  const adapter = new DrainingAdapter(config.http.keepAliveTimeout);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), adapter, {
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
  app.use(requireKnownMethod(() => app.get(OpenApiController).routes()));
  app.use(requireSameOrigin);
  app.use(requireJson);
  app.useBodyParser('json', { limit: BODY_LIMIT, type: JSON_TYPES });
  return app;
}

/** The name of this application's process in the election. */
export function processIdOf(app: NestExpressApplication): string {
  return app.get(MasterElection, { strict: false }).getNodeId();
}

/** Calls back when this application can take no part any more, because the cluster writes formats of a later version. */
export function whenRefused(app: NestExpressApplication, callback: () => void): void {
  // With a listener of `error` the election would no longer log its errors.
  app.get(MasterElection, { strict: false }).on(errorMonitor as unknown as 'error', (error) => {
    if (error instanceof FormatLevelError) callback();
  });
}

/** No cache may keep answers of the API: they show the present state, and many are for one key only. */
function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'no-store');
  next();
}

/** Media types that are read as JSON. */
const JSON_TYPES = ['application/json', 'application/*+json'];

/** Refuses a body that is not JSON, which the parser would silently leave out. */
function requireJson(request: Request, _response: Response, next: NextFunction): void {
  // `is` is null when there is no body, but takes an empty one for a body.
  if (request.is(JSON_TYPES) !== false || request.headers['content-length'] === '0') return next();
  next(problems.unsupportedMediaType('a body must be JSON: send "content-type: application/json"'));
}
