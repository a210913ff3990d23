import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { Callers } from '../http/callers.js';
import { RateLimit } from '../http/rate-limit.js';
import { isKnownHost, isSameHost } from '../http/request-checks.js';

/** The HTTP answer to a refused upgrade. */
export interface Refusal {
  readonly status: 403 | 421 | 429 | 503;
  readonly reason: string;
}

/** Decides whether a page may connect, by its headers. */
@Injectable()
export class PageAdmission {
  private closed = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly limit: RateLimit,
    private readonly callers: Callers,
  ) {}

  /** Null: the page may connect. */
  async refusal(request: IncomingMessage): Promise<Refusal | null> {
    const { headers } = request;
    // Each socket is an attempt to guess a key.
    if (!(await this.limit.admits(request))) return { status: 429, reason: 'too many requests' };
    if (!isKnownHost(headers.host, this.config.http))
      return { status: 421, reason: 'this service is not known under this name' };
    if (this.callers.identify(request, '') === 'forged')
      return { status: 403, reason: 'only the trusted proxy names a user' };
    if (this.closed) return { status: 503, reason: 'shutting down' };
    // Browsers let any site open a WebSocket to any other, and send the origin of the page.
    if (!isSameHost(headers.origin, headers.host))
      return { status: 403, reason: 'the page must come from this service' };
    return null;
  }

  /** Admits no more pages: the service is shutting down. */
  close(): void {
    this.closed = true;
  }
}
