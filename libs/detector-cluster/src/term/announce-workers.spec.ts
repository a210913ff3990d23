import { describe, expect, it } from 'vitest';
import { EventEmitter } from 'node:events';
import type { EventJournal } from '../operators/event-journal.js';
import { ReconcileFigures } from './reconcile-figures.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import { announceWorkers } from './announce-workers.js';
import { DrainWatch } from './drain-watch.js';

/** @param names of its workers */
function poolWith(names: ReadonlyMap<string, string> = new Map()): WorkerPool {
  const nameOf = (url: string) => names.get(url);
  return Object.assign(new EventEmitter(), { nameOf }) as unknown as WorkerPool;
}

describe('announceWorkers', () => {
  it('warns again of a worker that was removed and comes back', () => {
    const pool = poolWith();
    const warnings: string[] = [];
    const keep = announceWorkers(pool, {
      emit: () => {},
      connectionLogger: {
        warn: (text) => warnings.push(text),
        debug: () => {},
        log: () => {},
        error: () => {},
      },
      figures: new ReconcileFigures(),
      journal: {} as EventJournal,
    });
    const misbehave = () => {
      for (const url of ['ws://a', 'ws://b']) {
        for (let n = 0; n < 3; n++)
          pool.emit('worker:websocket_error', { url, error: 'refused' }, 'it refuses');
        for (const kind of ['rate', 'unread'] as const) pool.emit('excess', url, kind);
      }
    };
    const warned = () => warnings.splice(0).map((text) => /ws:\/\/./.exec(text)?.[0]);
    misbehave();
    expect(warned()).toEqual(['ws://a', 'ws://a', 'ws://a', 'ws://b', 'ws://b', 'ws://b']);
    misbehave();
    expect(warned()).toEqual([]);
    keep(['ws://b']);
    misbehave();
    expect(warned()).toEqual(['ws://a', 'ws://a', 'ws://a']);
  });
});

describe('announceWorkers in the log', () => {
  it('names a worker before its address', () => {
    const names = new Map([['ws://a', 'Rack 1']]);
    const pool = poolWith(names);
    const logged: string[] = [];
    announceWorkers(pool, {
      emit: () => {},
      connectionLogger: {
        warn: () => {},
        debug: () => {},
        log: (text) => logged.push(text),
        error: () => {},
      },
      figures: new ReconcileFigures(),
      journal: {} as EventJournal,
    });
    for (const url of ['ws://a', 'ws://b']) pool.emit('worker:online', { url }, true);
    names.set('ws://b', 'Rack 2');
    pool.emit('worker:online', { url: 'ws://b' }, true);
    expect(logged).toEqual([
      'worker Rack 1 (ws://a) is online',
      'worker ws://b is online',
      'worker Rack 2 (ws://b) is online',
    ]);
  });
});

describe('announceWorkers in the history', () => {
  it('records only what the master before did not know', () => {
    const pool = poolWith();
    const recorded: string[] = [];
    announceWorkers(pool, {
      emit: () => {},
      connectionLogger: { warn: () => {}, debug: () => {}, log: () => {}, error: () => {} },
      figures: new ReconcileFigures(),
      journal: { add: (event: { type: string }) => recorded.push(event.type) } as unknown as EventJournal,
    });
    for (const known of [true, false]) {
      pool.emit('worker:online', { url: 'ws://a' }, known);
      pool.emit('worker:offline', { url: 'ws://a' }, 'Offline', 'refused', known);
    }
    expect(recorded).toEqual(['worker-online', 'worker-offline']);
  });
});

const worker = (streams: string[], drainSince?: number, current = true) => ({
  url: 'ws://a',
  current,
  reported: new Map(streams.map((id) => [id, { online: true, modelId: 1, fingerprint: null }])),
  ...(drainSince !== undefined && { drainSince }),
});

describe('DrainWatch', () => {
  it('says once that a worker which is being drained is empty', () => {
    const drained: string[] = [];
    const watch = new DrainWatch((url) => drained.push(url));
    watch.look([worker(['d;c'])]);
    watch.look([worker([])]);
    watch.look([worker(['d;c'], 1)]);
    watch.look([worker([], 1, false)]);
    expect(drained).toEqual([]);
    watch.look([worker([], 1)]);
    watch.look([worker([], 1)]);
    expect(drained).toEqual(['ws://a']);
    watch.look([worker([])]);
    watch.look([worker([], 2)]);
    expect(drained).toEqual(['ws://a', 'ws://a']);
    watch.look([]);
    watch.look([worker([], 2)]);
    expect(drained).toHaveLength(3);
  });
});
