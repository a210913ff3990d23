import type { IncomingMessage } from 'node:http';
import {
  BOOT_HEADER,
  MAX_FRAME_BYTES,
  parseWorkerCommand,
  TERM_HEADER,
} from '@detector-cluster/worker-protocol';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { WebSocketServer } from 'ws';
import { ConnectionAdmission } from './connection-admission.js';
import { DetectionOutbox } from '../streams/detection-outbox.js';
import { FencingPolicy } from './fencing-policy.js';

/** Nest event name under which every frame of a master arrives. */
export const FRAME = 'frame';

type Verdict = (
  accepted: boolean,
  status?: number,
  reason?: string,
  headers?: Record<string, string>,
) => void;

/**
 * Speaks the worker protocol instead of Nest's `{event, data}`. Every frame becomes one event, readable or not: with a
 * single handler they all take the same way through Nest, which keeps commands in the order they were sent.
 */
export class WorkerWsAdapter extends WsAdapter {
  constructor(private readonly app: INestApplication) {
    super(app, {
      messageParser: (raw) => ({ event: FRAME, data: parseWorkerCommand(raw as string | Buffer) }),
    });
  }

  override create(port: number, options: Parameters<WsAdapter['create']>[1] = {}): unknown {
    const admission = this.app.get(ConnectionAdmission);
    const fencing = this.app.get(FencingPolicy);
    const { boot } = this.app.get(DetectionOutbox);
    const server = super.create(port, {
      ...options,
      maxPayload: MAX_FRAME_BYTES,
      verifyClient: ({ req }: { req: IncomingMessage }, verdict: Verdict) => {
        const refusal = admission.refusal(req);
        if (refusal === null) verdict(true);
        else verdict(false, refusal.status, refusal.reason, { [TERM_HEADER]: String(fencing.highestTerm) });
      },
    }) as WebSocketServer;
    server.on('headers', (headers) => headers.push(`${BOOT_HEADER}: ${boot}`));
    return server;
  }

  /** Errors of a socket are counted by the gateway, once each; those of the server itself are logged. */
  override bindErrorHandler(server: { on(event: 'error', listener: (error: Error) => void): void }): unknown {
    server.on('error', (error) => this.logger.error(error));
    return server;
  }
}
