import { MAX_UNCONFIRMED_BYTES } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { WorkerStats } from '../reports/worker-stats.js';
import { DetectionOutbox } from './detection-outbox.js';

const message = {
  type: 'imageDetection' as const,
  subscriptionIdentifier: 'd1;c1',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { detection: { note: 'x'.repeat(1_000) }, modelId: 1, modelName: 'm' },
};

/** All that the outbox uses of a socket. */
class RecordingSocket {
  readonly readyState = 1;
  bufferedAmount = 0;
  readonly frames: string[] = [];

  send(frame: string): void {
    this.frames.push(frame);
  }

  get numbers(): number[] {
    return this.frames.map((frame) => (JSON.parse(frame) as { seq: number }).seq);
  }
}

function open() {
  const stats = new WorkerStats();
  const connections = new ConnectionRegistry();
  const outbox = new DetectionOutbox(connections, stats);
  const connect = () => {
    const socket = new RecordingSocket();
    const master = { term: 1, masterId: null, confirms: true };
    return { socket, connection: connections.add(socket as unknown as WebSocket, master) };
  };
  return { connect, connections, outbox, stats };
}

describe('DetectionOutbox', () => {
  it('keeps at most 2 MiB, and counts the oldest, which it drops', () => {
    const { connect, outbox, stats } = open();
    for (let n = 1; n <= 3_000; n++)
      outbox.add({ ...message, subscriptionIdentifier: `d${n % 2};c` }, n >> 1);
    const { socket } = connect();
    outbox.flush();
    const bytes = socket.frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0);
    expect(bytes).toBeLessThanOrEqual(MAX_UNCONFIRMED_BYTES);
    expect(bytes).toBeGreaterThan(MAX_UNCONFIRMED_BYTES - 2_000);
    const dropped = 3_000 - outbox.unconfirmed;
    expect(stats.unsent).toEqual({ 'd0;c': [[1, dropped >> 1]], 'd1;c': [[0, (dropped - 1) >> 1]] });
    expect(socket.numbers).toEqual(Array.from({ length: outbox.unconfirmed }, (_, i) => dropped + i + 1));
  });

  it('writes each detection once to a connection, and stops while the master does not read', () => {
    const { connect, outbox } = open();
    const { connection, socket } = connect();
    outbox.add(message, 1);
    outbox.add(message, 2);
    outbox.flush();
    outbox.flush();
    outbox.confirm(connection, outbox.boot, 1);
    socket.bufferedAmount = 17 * 1024 * 1024;
    outbox.add(message, 3);
    outbox.flush();
    expect(socket.numbers).toEqual([1, 2]);
    socket.bufferedAmount = 0;
    outbox.flush();
    expect(socket.numbers).toEqual([1, 2, 3]);
    expect(outbox.unconfirmed).toBe(2);
  });

  it('continues on an older connection that is still open, with what went only to the newer one', () => {
    const { connect, connections, outbox } = open();
    const older = connect();
    outbox.add(message, 1);
    outbox.flush();
    const newer = connect();
    outbox.add(message, 2);
    outbox.flush();
    connections.remove(newer.connection.socket);
    outbox.add(message, 3);
    outbox.flush();
    expect(newer.socket.numbers).toEqual([1, 2]);
    expect(older.socket.numbers).toEqual([1, 2, 3]);
  });

  it('obeys no confirmation on a connection that has been replaced', () => {
    const { connect, outbox } = open();
    const first = connect();
    outbox.add(message, 1);
    outbox.flush();
    connect();
    outbox.flush();
    outbox.confirm(first.connection, outbox.boot, 1);
    expect(outbox.unconfirmed).toBe(1);
  });
});
