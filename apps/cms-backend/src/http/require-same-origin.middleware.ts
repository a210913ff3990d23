import type { NextFunction, Request, Response } from 'express';
import { problems } from './problem/problems.js';

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

/** Null where the request does not say. */
function isSameOrigin({ headers }: Request): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined ? null : isSameHost(headers.origin, headers.host);
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Forms send GET and POST, none of these headers, and no JSON. Without JavaScript a page cannot do more than a form. */
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

/** Whether a page of this origin may act on this host. A client that is no browser has no origin. */
export function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
