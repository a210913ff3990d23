import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';

/** HTTP answer to an upgrade that is refused. */
export interface Refusal {
  readonly status: 403 | 503;
  readonly reason: string;
}

/** Most pages that one process feeds. */
export const MOST_PAGES = 100;

/** Decides by its headers, and by how many there are, whether a page may connect. */
@Injectable()
export class PageAdmission {
  private open = 0;
  private closed = false;

  /** Null: it may. */
  refusal({ headers }: IncomingMessage): Refusal | null {
    if (this.closed) return { status: 503, reason: 'shutting down' };
    if (this.open >= MOST_PAGES) return { status: 503, reason: `this process feeds ${MOST_PAGES} pages` };
    if (!isSameHost(headers.origin, headers.host))
      return { status: 403, reason: 'the page must come from this service' };
    return null;
  }

  opened(): void {
    this.open++;
  }

  left(): void {
    this.open--;
  }

  /** From now on nobody may: the service is shutting down. */
  close(): void {
    this.closed = true;
  }
}

/**
 * Browsers let any site open a WebSocket to any other and say where it comes from; only a page of this service may. A
 * client that is no browser says nothing.
 */
function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
