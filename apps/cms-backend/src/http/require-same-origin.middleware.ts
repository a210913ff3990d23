import type { NextFunction, Request, Response } from 'express';
import { problems } from './problem/problems.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request only reads. */
export const isSafe = (method: string): boolean => SAFE_METHODS.includes(method);

/**
 * Refuses requests that change something and that a browser sends for a page of another site. Browsers say so in
 * `Sec-Fetch-Site`, older ones in `Origin`; a page cannot set either. What is no browser sends neither.
 */
export function requireSameOrigin(request: Request, _response: Response, next: NextFunction): void {
  if (isSafe(request.method) || isSameOrigin(request)) return next();
  next(problems.forbidden('a page of another site may not change anything here'));
}

function isSameOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return isSameHost(headers.origin, headers.host);
}

/** Whether a page of this origin may act on this host. A client that is no browser has no origin. */
export function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
