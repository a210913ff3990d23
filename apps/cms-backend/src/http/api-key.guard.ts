import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { problems } from './problem/problems.js';
import { Public } from './public.decorator.js';

const digest = (value: string) => createHash('sha256').update(value).digest();

/** Where an API key is configured, lets only requests pass that carry it, and everything marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly expected: Buffer | null;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly reflector: Reflector,
  ) {
    this.expected = config.http.apiKey === null ? null : digest(config.http.apiKey);
  }

  canActivate(context: ExecutionContext): boolean {
    if (this.expected === null || context.getType() !== 'http') return true;
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    const given = keyOf(context.switchToHttp().getRequest<Request>());
    // Digests have one length, so the comparison tells nothing about the key, not even how long it is.
    if (!timingSafeEqual(digest(given), this.expected)) throw problems.unauthorized();
    return true;
  }
}

/** As `X-API-Key`, or as `Authorization: Bearer`, which is what Prometheus can send. */
function keyOf(request: Request): string {
  const key = request.header('x-api-key');
  if (key !== undefined) return key;
  return /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
