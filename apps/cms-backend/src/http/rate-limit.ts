import type { NextFunction, Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { AppConfig } from '../config/app-config.js';
import { problems } from './problem/problems.js';

/** Milliseconds for which the requests of an address are counted. */
const WINDOW = 10_000;

/** Limits the requests of each address, before their keys are checked, so that wrong keys count as well. */
export function limitRate({ rateLimit: limit }: Pick<AppConfig['http'], 'rateLimit'>) {
  return rateLimit({
    windowMs: WINDOW,
    limit,
    skip: () => limit === 0,
    // It sets Retry-After too.
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_request: Request, _response: Response, next: NextFunction) =>
      next(problems.tooManyRequests(limit, WINDOW / 1_000)),
  });
}
