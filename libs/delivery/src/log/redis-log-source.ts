import { slotSource, isCluster } from '@detector-cluster/election/internal/redis';
import { blockingSettings, closeRedis, openRedis, type RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { getOrInsertComputed } from '@detector-cluster/election/internal';
import type { Cursor, LogEntry, LogPage, LogSource } from './log-store.js';

type Reply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

type Found = Map<string, LogPage>;

/**
 * {@link LogSource} by XREAD on a connection of its own, because it blocks. On a Redis Cluster one command cannot read logs of
 * several slots: there, each log that this process owns has a connection.
 */
export class RedisLogSource implements LogSource {
  private readonly connections = new Map<string, Redis>();
  /** Reads of single logs that are under way, by log, epoch and cursor. */
  private readonly pending = new Map<string, Promise<Found>>();

  constructor(
    private readonly source: RedisSource,
    private readonly name: string,
    /** Longest `block`. Milliseconds. */
    private readonly longest: number,
  ) {}

  async read(cursors: readonly Cursor[], count: number, block: number) {
    if (isCluster(this.source)) return this.readEach(cursors, count, block);
    return toMap(cursors, await xread(this.connection(''), cursors, count, block), count);
  }

  close(): void {
    for (const redis of this.connections.values()) closeRedis(redis);
    this.connections.clear();
  }

  /** Reads all logs at once. Returns what has arrived when the first read ends; the other reads stay pending. */
  private async readEach(cursors: readonly Cursor[], count: number, block: number): Promise<Found> {
    if (block > 0) this.closeAllBut(new Set(cursors.map(({ log }) => log.stream)));
    const found = new Map<string, LogPage>();
    let failure: unknown;
    const reads = cursors.map((each) =>
      this.pendingRead(each, count, block).then(
        (pages) => {
          for (const [stream, page] of pages) found.set(stream, page);
        },
        (error: unknown) => void (failure = error),
      ),
    );
    await Promise.race(reads);
    // Other replies that have arrived in the same turn.
    await new Promise((resolve) => void setImmediate(resolve));
    if (found.size === 0 && failure !== undefined) throw failure;
    return found;
  }

  /** The read of this log that is under way, or a new one. A reply for another cursor is of no use. */
  private pendingRead(each: Cursor, count: number, block: number): Promise<Found> {
    const { cursor, epoch, log } = each;
    const key = `${log.stream} ${epoch} ${cursor}`;
    return getOrInsertComputed(this.pending, key, () =>
      xread(this.connection(log.stream), [each], count, block)
        .then((reply) => toMap([each], reply, count))
        .finally(() => this.pending.delete(key)),
    );
  }

  private closeAllBut(wanted: ReadonlySet<string>): void {
    for (const [stream, redis] of this.connections) {
      if (wanted.has(stream)) continue;
      closeRedis(redis);
      this.connections.delete(stream);
    }
  }

  private connection(stream: string): Redis {
    return getOrInsertComputed(this.connections, stream, () => {
      const source = stream === '' ? this.source : slotSource(this.source, 'keyPrefix', stream);
      return openRedis(source, {
        ...blockingSettings,
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        blockingTimeout: 0,
        socketTimeout: this.longest + 3_000,
        connectionName: this.name,
      });
    });
  }
}

async function xread(redis: Redis, cursors: readonly Cursor[], count: number, block: number): Promise<Reply> {
  const streams = cursors.map(({ log }) => log.stream);
  const ids = cursors.map(({ cursor }) => cursor);
  // Redis waits forever with BLOCK 0.
  const reply = await (block === 0
    ? redis.xread('COUNT', count, 'STREAMS', ...streams, ...ids)
    : redis.xread('COUNT', count, 'BLOCK', block, 'STREAMS', ...streams, ...ids));
  return reply as Reply;
}

function toMap(cursors: readonly Cursor[], reply: Reply, count: number): Found {
  const found: Found = new Map(cursors.map(({ log }) => [log.stream, { entries: [], complete: true }]));
  for (const [stream, raw] of reply ?? []) {
    const entries = raw.map(toEntry);
    found.set(stream, { entries, complete: entries.length < count });
  }
  return found;
}

/** An entry of another program counts as one detection, which cannot be read. */
function toEntry([id, fields]: [id: string, fields: string[]]): LogEntry {
  const isBatch = fields.length === 4 && fields[0] === 'detections';
  const text = fields[isBatch ? 3 : 1] ?? '';
  return {
    id,
    bytes: Buffer.byteLength(text),
    messages: isBatch && fields[1] !== '1' ? text.split('\n') : [text],
  };
}
