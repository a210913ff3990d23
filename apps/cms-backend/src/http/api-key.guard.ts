import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Role } from '../config/api-keys-variable.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { problems } from './problem/problems.js';
import { isSafe } from './request-checks.js';

const digest = (value: string) => createHash('sha256').update(value).digest();

/** The owner of the key of a request. */
interface Caller {
  readonly name: string;
  readonly role: Role;
}

const ANYBODY: Caller = { name: 'anybody', role: 'operate' };

/** Checks whether a key belongs to this service, and finds its owner. */
@Injectable()
export class ApiKeyCheck {
  private readonly keys: readonly (Caller & { readonly digest: Buffer })[];

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.keys = config.http.keys.map(({ name, role, key }) => ({ name, role, digest: digest(key) }));
  }

  /** Null for a wrong key. Where no key is configured, every caller may operate. */
  identify(given: string): Caller | null {
    if (this.keys.length === 0) return ANYBODY;
    const of = digest(given);
    // Digests have one length, and all are compared, so the time reveals nothing about the keys.
    const matching = this.keys.filter((key) => timingSafeEqual(of, key.digest));
    return matching[0] ?? null;
  }
}

/** `@Public(true)` marks a controller or handler that needs no API key. */
export const Public = Reflector.createDecorator<boolean>();

/** A request that {@link ApiKeyGuard} has let pass. */
export type IdentifiedRequest = Request & { caller?: Caller };

/** If API keys are configured, lets a request pass only if its key allows it or its handler is marked `@Public()`. */
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

/** The key in `X-API-Key`, or in `Authorization: Bearer`, which Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
