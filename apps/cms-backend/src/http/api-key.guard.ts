import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiKeyCheck, type Caller } from './api-key-check.js';
import { problems } from './problem/problems.js';
import { Public } from './public.decorator.js';
import { isSafe } from './require-same-origin.middleware.js';

/** A request that {@link ApiKeyGuard} has let pass. */
export type IdentifiedRequest = Request & { caller?: Caller };

/** Where API keys are configured, lets only requests pass whose key allows them, and everything marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly key: ApiKeyCheck,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const caller = this.key.identify(keyOf(request));
    if (caller === null) throw problems.unauthorized();
    if (caller.role === 'read' && !isSafe(request.method))
      throw problems.forbidden(`the key of ${caller.name} may only read`);
    request.caller = caller;
    return true;
  }
}

/** As `X-API-Key`, or as `Authorization: Bearer`, which is what Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
