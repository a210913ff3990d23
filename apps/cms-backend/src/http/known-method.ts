import type { NextFunction, Request, Response } from 'express';
import type { DescribedRoute } from '../openapi/described-route.js';
import { problems } from './problem/problems.js';

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
