import type { ParseFailure } from '@detector-cluster/worker-protocol';
import { Injectable, Logger } from '@nestjs/common';

/** Counts what could not be used, and logs the first of each kind. */
@Injectable()
export class InvalidFrames {
  private readonly logger = new Logger(InvalidFrames.name);
  readonly #counts = new Map<string, number>();

  record({ kind, detail }: Pick<ParseFailure, 'detail'> & { kind: string }): void {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    if (count === 0) this.logger.warn(`${kind}: ${detail} (logged once per kind)`);
  }

  /** Violations that make the WebSocket library end the connection, e.g. a frame above the limit. */
  recordSocketError(error: Error & { code?: string }): void {
    const kind = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'too-large' : 'socket-error';
    this.record({ kind, detail: error.message });
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
