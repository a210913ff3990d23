import type { NextFunction, Request, Response } from 'express';
import { problems } from './problem/problems.js';

/** Media types that are read as JSON. */
export const JSON_TYPES = ['application/json', 'application/*+json'];

/** Refuses a body that is not JSON, which the parser would silently leave out. */
export function requireJson(request: Request, _response: Response, next: NextFunction): void {
  // `is` is null when there is no body, but takes an empty one for a body.
  if (request.is(JSON_TYPES) !== false || request.headers['content-length'] === '0') return next();
  next(problems.unsupportedMediaType('a body must be JSON: send "content-type: application/json"'));
}
