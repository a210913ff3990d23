import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from '../config/app-config.js';
import type { DescribedRoute } from '../openapi/described-route.js';
import { problems } from './problems.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request only reads. */
export const isSafe = (method: string): boolean => SAFE_METHODS.includes(method);

/**
 * Refuses requests that change something and that a browser may have sent for a page of another site. Browsers say so in
 * `Sec-Fetch-Site`, older ones in `Origin`; a page cannot set either. A POST with neither must have a header that a form cannot send.
 */
export function requireSameOrigin(request: Request, _response: Response, next: NextFunction): void {
  if (isSafe(request.method)) return next();
  const sameOrigin = isSameOrigin(request);
  if (sameOrigin === true || (sameOrigin === null && isNoForm(request))) return next();
  next(
    problems.forbidden(
      sameOrigin === false
        ? 'a page of another site may not change anything here'
        : 'a form may have sent this: send a header that forms cannot send, such as "content-type: application/json"',
    ),
  );
}

/** Null if the request does not show it. */
function isSameOrigin({ headers }: Request): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined ? null : isSameHost(headers.origin, headers.host);
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Forms send only GET and POST, without these headers and without JSON. A page without JavaScript can do no more than a form. */
function isNoForm({ method, headers }: Request): boolean {
  return (
    method !== 'POST' ||
    JSON_TYPE.test(headers['content-type'] ?? '') ||
    /^bearer /i.test(headers.authorization ?? '') ||
    headers['x-api-key'] !== undefined ||
    headers['x-requested-with'] !== undefined ||
    headers['sec-fetch-mode'] === 'cors'
  );
}

/** Whether a page of this origin may act on this host. A client that is not a browser has no origin. */
export function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/**
 * Whether requests may use a host name. A page that has its own name resolve to this machine (DNS rebinding) comes under that
 * name, which has a dot and is no address. Where keys or a proxy are configured such a page has no key; then only `allowedHosts` restricts names.
 */
export function isKnownHost(
  host: string | undefined,
  { allowedHosts, keys, proxy }: Pick<AppConfig['http'], 'allowedHosts' | 'keys' | 'proxy'>,
): boolean {
  if ((keys.length > 0 || proxy !== null) && allowedHosts.length === 0) return true;
  // The attack needs a browser, and browsers always send it.
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
  return (
    isAddress || !hostname.includes('.') || hostname.endsWith('.localhost') || allowedHosts.includes(hostname)
  );
}

export function requireKnownHost(config: AppConfig['http']) {
  return ({ headers }: Request, _response: Response, next: NextFunction): void => {
    if (isKnownHost(headers.host, config)) return next();
    next(problems.misdirected('this service is not known under this name: add the name to ALLOWED_HOSTS'));
  };
}

type Route = Pick<DescribedRoute, 'method' | 'path'>;

/** Answers 405 with `Allow` where a path exists, but not with this method. */
export function requireKnownMethod(routes: () => readonly Route[]) {
  let table: readonly (readonly [pattern: RegExp, method: string])[] | null = null;
  return ({ method, path }: Request, _response: Response, next: NextFunction): void => {
    if (method === 'OPTIONS') return next();
    table ??= routes().map((route) => [patternOf(route.path), route.method.toUpperCase()]);
    const known = new Set(table.flatMap(([pattern, name]) => (pattern.test(path) ? [name] : [])));
    // Express answers HEAD as GET.
    if (known.has('GET')) known.add('HEAD');
    if (known.size === 0 || known.has(method)) return next();
    next(problems.methodNotAllowed(method, [...known].sort()));
  };
}

function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.')));
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}
