import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiKeyCheck } from './api-key-check.js';
import { problems } from './problem/problems.js';
import { Public } from './public.decorator.js';

/** Where an API key is configured, lets only requests pass that carry it, and everything marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly key: ApiKeyCheck,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    if (!this.key.accepts(keyOf(context.switchToHttp().getRequest<Request>()))) throw problems.unauthorized();
    return true;
  }
}

/** As `X-API-Key`, or as `Authorization: Bearer`, which is what Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
