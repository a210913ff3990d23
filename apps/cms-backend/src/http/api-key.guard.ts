import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { problems } from './problems.js';
import { isSafe } from './request-checks.js';
import { Callers, type Caller } from './callers.js';

/** `@Public(true)` marks a controller or handler that needs no API key. */
export const Public = Reflector.createDecorator<boolean>();

/** A request that {@link ApiKeyGuard} has let pass. */
export type IdentifiedRequest = Request & { caller?: Caller };

/** Lets a request pass if its caller may send it, or its handler is marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    if (this.callers.isForged(request))
      throw problems.forbidden('only the proxy in TRUSTED_PROXY may name a user, and only one');
    const caller = this.callers.identify(request, keyOf(request));
    if (caller === null) throw problems.unauthorized();
    if (caller.role === 'read' && !isSafe(request.method))
      throw problems.forbidden(`${caller.name} may only read`);
    request.caller = caller;
    return true;
  }
}

/** The key in `X-API-Key`, or in `Authorization: Bearer`, which Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
