import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { operationIdOf } from '../openapi/described-route.js';
import { OperationMetadata } from '../openapi/operation.decorator.js';
import { problems } from './problems.js';
import { isSafe } from './request-checks.js';
import { Callers, type Caller } from './callers.js';

/** A request that {@link ApiKeyGuard} has let pass. */
export type IdentifiedRequest = Request & {
  caller?: Caller;
  /** Undefined: it only reads. */
  action?: {
    /** The operationId of the API description. */
    readonly name: string;
    /** What the request names. */
    readonly targets: readonly string[];
  };
};

/** Lets a request pass if its caller may send it, or its operation is public. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    if (this.reflector.get(OperationMetadata, context.getHandler())?.isPublic === true) return true;
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const caller = this.callers.identify(request, keyOf(request));
    if (caller === 'forged')
      throw problems.forbidden('only the proxy in TRUSTED_PROXY may name a user, and only one');
    if (caller === 'unknown') throw problems.unauthorized();
    request.caller = caller;
    if (isSafe(request.method)) return true;
    const name = operationIdOf(context.getClass(), context.getHandler().name);
    // A caller that may only read cannot fill the audit trail with bodies.
    const { body, params } = request;
    request.action = { name, targets: targetsOf(params, caller.role === 'read' ? null : body) };
    if (caller.role === 'read') throw problems.forbidden(`${caller.name} may only read`);
    return true;
  }
}

/** The key in `X-API-Key`, or in `Authorization: Bearer`, which Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}

/** The entries that a request names in its path, or else in its body, which may be anything. */
function targetsOf(params: object, body: unknown): readonly string[] {
  const inPath = Object.values(params).filter((value) => typeof value === 'string');
  if (inPath.length > 0) return inPath;
  const { items } = Object(body) as { readonly items?: unknown };
  return (Array.isArray(items) ? items : [body]).flatMap((item) => nameOf(Object(item)) ?? []);
}

/** A display has the identifier of its camera, too. */
function nameOf({ displayId, cameraIdentifier, name, id }: Record<string, unknown>): string | undefined {
  return [displayId, cameraIdentifier, name, id]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)[0];
}
