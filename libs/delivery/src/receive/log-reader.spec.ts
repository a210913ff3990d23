import { systemClock } from '@detector-cluster/election';
import { eventually } from '@detector-cluster/election/testing';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { partitionLog } from '../log/log-address.js';
import type { Cursor, LogEntry, LogPage, LogSource } from '../log/log-store.js';
import { consumerDefaults } from './consumer-context.js';
import { HeldLog } from './held-log.js';
import { LogReader, type ReaderContext } from './log-reader.js';

function held(count: number): HeldLog[] {
  return Array.from({ length: count }, (_, partition) => {
    const log = partitionLog(deliveryKeys(''), partition);
    return new HeldLog({
      log,
      processId: 'a',
      epoch: '1.1',
      wait: 0,
      catchingUp: false,
      clock: systemClock,
    });
  });
}

const nothingFinished: ReaderContext['store']['masks'] = async (_, ids) => ids.map(() => '');

describe('LogReader', () => {
  const EACH = 7;
  let stopping: AbortController;
  let logs: HeldLog[];
  beforeEach(() => {
    stopping = new AbortController();
    logs = held(5);
  });
  afterEach(() => stopping.abort());

  const readerOf = (source: LogSource, window: ReaderContext['window'], masks = nothingFinished) =>
    new LogReader({
      source,
      options: { ...consumerDefaults, readBlock: 1, readLinger: 0 },
      window,
      logs: () => logs,
      store: { masks },
      onEvent: () => undefined,
      clock: systemClock,
      signal: stopping.signal,
    });

  /** Every log has {@link EACH} entries. Reads `room` entries at most and notes what each read has brought. */
  async function readAll(room: number, { roomBytes = Number.POSITIVE_INFINITY, message = '' } = {}) {
    const reads: { asked: number; brought: number; block: number }[] = [];
    const source: LogSource = {
      read: async (cursors: readonly Cursor[], count: number, block: number) => {
        await turn();
        const pages = cursors.map(({ cursor, log }): [string, LogPage] => {
          const from = Number(cursor.split('-')[1]);
          const entries = Array.from({ length: Math.min(count, EACH - from) }, (_, n): LogEntry => ({
            id: `0-${from + n + 1}`,
            bytes: message.length,
            messages: [message],
          }));
          return [log.stream, { entries, complete: from + entries.length === EACH }];
        });
        const brought = pages.reduce((sum, [, { entries }]) => sum + entries.length, 0);
        if (brought > 0) reads.push({ asked: cursors.length, brought, block });
        return new Map(pages);
      },
    };
    let read = 0;
    const reader = readerOf(source, {
      room: () => room,
      roomBytes,
      whenRoom: () => Promise.resolve(),
      accept: (log, entries) => {
        log.cursor = entries.at(-1)!.id;
        read += entries.length;
      },
    });
    reader.start();
    await eventually('all is read', 10_000, () => read === EACH * logs.length);
    stopping.abort();
    await reader.stopped;
    return reads;
  }

  it.each([1, 3, 5, 8, 33])('never reads more than there is room for: %i', async (room) => {
    for (const { brought } of await readAll(room)) expect(brought).toBeLessThanOrEqual(room);
  });

  it('lets logs take turns when there is no room for all, and does not wait for some of them', async () => {
    const reads = await readAll(3);
    // It learns from the first reads that batches are small.
    expect(reads.slice(5, 9)).toEqual(Array.from({ length: 4 }, () => ({ asked: 3, brought: 3, block: 0 })));
  });

  it('reads few entries before it knows their size, and then so many as fit: large ones', async () => {
    const reads = await readAll(1_000, { roomBytes: 256 * 1_024, message: 'x'.repeat(128 * 1_024) });
    expect(reads[0]!.brought).toBe(1);
    expect(Math.max(...reads.slice(1).map(({ brought }) => brought))).toBe(2);
  });

  it('reads few entries before it knows their size, and then so many as fit: small ones', async () => {
    const reads = await readAll(1_000, { roomBytes: 256 * 1_024, message: 'x'.repeat(100) });
    expect(reads.map(({ brought }) => brought).slice(0, 3)).toEqual([1, 2, 4]);
  });

  it('waits for all of many idle logs at once, and asks for more than one batch of each, to see the end of a log', async () => {
    logs = held(200);
    const reads: { asked: number; count: number; block: number }[] = [];
    const source: LogSource = {
      read: async (cursors, count, block) => {
        await turn();
        reads.push({ asked: cursors.length, count, block });
        return new Map(cursors.map(({ log }) => [log.stream, { entries: [], complete: true }]));
      },
    };
    const { window: room, windowBytes: roomBytes } = consumerDefaults;
    const reader = readerOf(source, {
      room: () => room,
      roomBytes,
      whenRoom: () => Promise.resolve(),
      accept: () => undefined,
    });
    reader.start();
    await eventually('a read that waits', 10_000, () => reads.some(({ block }) => block > 0));
    stopping.abort();
    await reader.stopped;
    expect(reads.at(-1)).toMatchObject({ asked: 200, count: 2 });
  });

  it('leaves out a batch that its log has dropped since it was read, because its mask is gone, too', async () => {
    logs = held(1);
    const source: LogSource = {
      read: async ([cursor]) => {
        await turn();
        const ids = cursor!.cursor === '0-0' ? ['0-1', '0-3'] : [];
        const entries = ids.map((id): LogEntry => ({ id, bytes: 3, messages: ['a', 'b'] }));
        return new Map([[cursor!.log.stream, { entries, complete: ids.length === 0 }]]);
      },
    };
    const accepted: unknown[] = [];
    const window: ReaderContext['window'] = {
      room: () => 1_000,
      roomBytes: Number.POSITIVE_INFINITY,
      whenRoom: () => Promise.resolve(),
      accept: (log, entries, masks) => {
        log.cursor = entries.at(-1)!.id;
        for (const { id } of entries) accepted.push([id, masks?.get(id)]);
      },
    };
    const reader = readerOf(source, window, async () => [null, '10']);
    reader.start();
    await eventually('a batch', 10_000, () => accepted.length > 0);
    stopping.abort();
    await reader.stopped;
    expect(accepted).toEqual([['0-3', '10']]);
  });
});
