import type { NextFunction, Request, Response } from 'express';

/** Answers of the API are about now, and many are for one key only: no cache may keep them. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'no-store');
  next();
}
