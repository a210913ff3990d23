import {
  encodeWorkerMessage,
  type ImageDetectionMessage,
  MAX_UNCONFIRMED_BYTES,
} from '@detector-cluster/worker-protocol';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import type { MasterConnection } from '../connections/master-connection.js';
import { WorkerStats } from '../reports/worker-stats.js';

/** A master that does not read gets nothing more beyond this. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

interface KeptFrame {
  readonly seq: number;
  readonly subscriptionIdentifier: string;
  /** Among those of the subscription. */
  readonly sequence: number;
  readonly frame: string;
  readonly bytes: number;
}

/**
 * Numbers detections, and keeps each until a master confirms it. A new connection gets first, in their order, those that are not
 * confirmed. When 2 MiB are kept, the oldest go and are counted.
 */
@Injectable()
export class DetectionOutbox {
  /** Distinguishes the numbers of this start from those of others. */
  readonly boot = randomBytes(8).toString('hex');
  private seq = 0;
  private readonly kept: KeptFrame[] = [];
  private bytes = 0;
  private connection: MasterConnection | undefined;

  constructor(
    private readonly connections: ConnectionRegistry,
    private readonly stats: WorkerStats,
  ) {}

  /** Detections that no master has confirmed. */
  get unconfirmed(): number {
    return this.kept.length;
  }

  /** @param sequence its number among those of the subscription */
  add(message: ImageDetectionMessage, sequence: number): void {
    const { subscriptionIdentifier } = message;
    const seq = ++this.seq;
    const frame = encodeWorkerMessage({ ...message, boot: this.boot, seq });
    const bytes = Buffer.byteLength(frame);
    this.kept.push({ seq, subscriptionIdentifier, sequence, frame, bytes });
    this.bytes += bytes;
    while (this.bytes > MAX_UNCONFIRMED_BYTES) {
      const dropped = this.kept.shift()!;
      this.bytes -= dropped.bytes;
      this.stats.countUnsent(dropped.subscriptionIdentifier, dropped.sequence);
    }
  }

  /** Writes to the current master what it has not got on its connection. */
  flush(): void {
    const connection = this.connections.current();
    if (connection === undefined) return;
    this.connection = connection;
    for (const { frame, seq } of this.after(connection.written)) {
      if (connection.socket.bufferedAmount > MAX_BUFFERED_BYTES) return;
      connection.socket.send(frame);
      connection.written = seq;
      this.stats.detectionsSent++;
    }
    // Such a master never says what it has taken.
    if (!connection.confirms) this.forget(connection.written);
  }

  confirm(from: MasterConnection, boot: string, upTo: number): void {
    if (from === this.connection && boot === this.boot) this.forget(Math.min(upTo, from.written));
  }

  private after(seq: number): KeptFrame[] {
    const first = this.kept[0]?.seq ?? 0;
    return this.kept.slice(Math.max(0, seq + 1 - first));
  }

  private forget(upTo: number): void {
    const first = this.kept[0]?.seq ?? 0;
    const gone = this.kept.splice(0, Math.max(0, upTo + 1 - first));
    for (const { bytes } of gone) this.bytes -= bytes;
  }
}
