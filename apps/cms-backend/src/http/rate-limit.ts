import { Inject, Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit';
import type { IncomingMessage } from 'node:http';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { problems } from './problems.js';

/** Milliseconds for which the requests of an address are counted. */
const WINDOW = 10_000;

type Limits = Pick<AppConfig['http'], 'rateLimit' | 'trustedProxies'>;

/**
 * Limits the requests of each address, before their keys are checked, so that wrong keys count as well. The pages of the dashboard,
 * whose first message has the key, count with all other requests.
 */
@Injectable()
export class RateLimit {
  readonly middleware: RequestHandler;
  private readonly store = new MemoryStore();
  private readonly limits: Limits;

  constructor(@Inject(APP_CONFIG) { http }: { readonly http: Limits }) {
    this.limits = http;
    this.middleware = rateLimit({
      windowMs: WINDOW,
      limit: http.rateLimit,
      store: this.store,
      keyGenerator: (request) => this.keyOf(request),
      // A probe must not fail because other clients call often.
      skip: ({ path }) => http.rateLimit === 0 || path.startsWith('/health/'),
      // It sets Retry-After too.
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      handler: (_request, _response, next) => next(problems.tooManyRequests(http.rateLimit, WINDOW / 1_000)),
    });
  }

  /** Counts a request that does not go through {@link middleware}. Returns whether it may pass. */
  async admits(request: IncomingMessage): Promise<boolean> {
    if (this.limits.rateLimit === 0) return true;
    const { totalHits } = await this.store.increment(this.keyOf(request));
    return totalHits <= this.limits.rateLimit;
  }

  /** The addresses of an IPv6 network of 56 bits count together, because one client may have all of them. */
  private keyOf(request: IncomingMessage): string {
    return ipKeyGenerator(addressOf(request, this.limits.trustedProxies));
  }
}

/** The address of the client: each trusted proxy appends the address that called it to `X-Forwarded-For`. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  const hops = [...forwarded, socket.remoteAddress ?? ''];
  return hops[Math.max(0, hops.length - 1 - trustedProxies)]!;
}
