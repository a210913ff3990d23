import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CONFIRMS_HEADER, MASTER_HEADER, TERM_HEADER } from '@detector-cluster/worker-protocol';
import { FencingPolicy, parseTerm } from './fencing-policy.js';
import { WorkerStats } from '../reports/worker-stats.js';

export interface MasterIdentity {
  readonly term: number;
  readonly masterId: string | null;
  /** Whether it confirms detections. */
  readonly confirms: boolean;
}

/** HTTP answer to an upgrade that is refused. */
export interface Refusal {
  readonly status: 400 | 409 | 503;
  readonly reason: string;
}

const MAX_ID_LENGTH = 200;

/** Decides about upgrade requests by their headers. */
@Injectable()
export class ConnectionAdmission {
  #closing = false;

  constructor(
    private readonly fencing: FencingPolicy,
    private readonly stats: WorkerStats,
  ) {}

  /** From now on every upgrade is refused: the worker is shutting down. */
  close(): void {
    this.#closing = true;
  }

  refusal(request: IncomingMessage): Refusal | null {
    if (this.#closing) return { status: 503, reason: 'shutting down' };
    const term = parseTerm(request.headers[TERM_HEADER]);
    if (term === null && this.fencing.enforcing)
      return { status: 400, reason: `${TERM_HEADER} must be a decimal integer` };
    if (this.fencing.admits(term ?? 0)) return null;
    this.stats.refusedUpgrades++;
    return { status: 409, reason: `superseded by term ${this.fencing.highestTerm}` };
  }

  identify(request: IncomingMessage): MasterIdentity {
    const id = request.headers[MASTER_HEADER];
    return {
      term: parseTerm(request.headers[TERM_HEADER]) ?? 0,
      masterId: typeof id === 'string' ? id.slice(0, MAX_ID_LENGTH) : null,
      confirms: request.headers[CONFIRMS_HEADER] === '1',
    };
  }
}
