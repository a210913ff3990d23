import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { Logger } from '@nestjs/common';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { problems } from '../http/problems.js';
import { isSafe } from '../http/request-checks.js';

/** Headers of every answer. They matter because the service shows much text of other programs. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // Scripts and styles come only from this service, no page frames another, and no form sends data.
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // The proxy that terminates TLS decides about this header.
  strictTransportSecurity: false,
});

/** The paths of the page, of files beside it, and below `/assets/`. The service does not look for paths of the API on the disk. */
const OWN_PATH = /^\/(?:(?:assets\/)?[^/]+\.\w+)?$/;

/** The folder of the page after `npm run build`; null if its package is missing. */
export function dashboardFolder(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('@detector-cluster/dashboard/package.json');
    return join(dirname(manifest), 'dist');
  } catch {
    return null;
  }
}

const METHODS = ['GET', 'HEAD'];

/**
 * Serves the dashboard's page at `/` without a key, because the page gets its data from the API. Answers 405 to other methods. Passes
 * requests for other paths to `next`.
 */
export function dashboardFiles(folder: string | null): RequestHandler {
  if (folder === null || !existsSync(join(folder, 'index.html'))) return withoutPage();
  const assets = join(folder, 'assets') + sep;
  const paths = pathsOf(folder);
  const files = express.static(folder, {
    redirect: false,
    // The name of an asset contains a hash of its content.
    setHeaders: (response, path) =>
      response.set(
        'Cache-Control',
        path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });
  return (request, response, next) => {
    const { method, path } = request;
    if (!isSafe(method) && paths.has(path)) next(problems.methodNotAllowed(method, METHODS));
    else if (OWN_PATH.test(path)) files(request, response, next);
    else next();
  };
}

/** The paths of the page and its files. */
function pathsOf(folder: string): ReadonlySet<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => `/${name.replaceAll(sep, '/')}`,
  );
  return new Set(['/', ...paths.filter((path) => OWN_PATH.test(path) && !path.includes('/.'))]);
}

function withoutPage(): RequestHandler {
  const detail = 'the dashboard has not been built: run `npm run build` and start the service again';
  new Logger('dashboard').warn(detail);
  return (request, _response, next) => next(request.path === '/' ? problems.notFound(detail) : undefined);
}
