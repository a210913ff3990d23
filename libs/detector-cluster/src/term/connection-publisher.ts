import type { Redis } from 'ioredis';
import type { FencedStore } from '@detector-cluster/election/fence';
import type { WorkerConnectionState } from '../shared/cluster-state.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { getOrInsertComputed, Repeater } from '@detector-cluster/election/internal';
import { parsedJson } from '../shared/read-json.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { TimeSlices } from '../shared/time-slices.js';
import { inChunks } from '@detector-cluster/placement/internal';
import { compareInTurn, HashMirror } from '../shared/hash-mirror.js';

/** Interval of writes that contain only newer figures; workers report every 2 s. Milliseconds. */
const FIGURES_INTERVAL = 2_000;

/** Minimum interval of any two writes. Milliseconds. */
const MIN_INTERVAL = 100;

/** With very many workers, writes take at most one part in this many of the time. */
const RARITY = 10;

/** The predecessor's record of the workers. */
export interface LeftWorkers {
  /** Worker → whether it was online. */
  readonly online: ReadonlyMap<string, boolean>;
  /** Worker → `drainTotal`. */
  readonly drains: ReadonlyMap<string, number>;
}

/**
 * Publishes the master's view of each worker: its state and figures in `worker:connections` (changes of state soon, figures
 * every 2 s), and the list of its subscriptions, which is long and rarely changes, in `worker:streams`. Readers keep the lists until
 * their revision changes.
 */
export class ConnectionPublisher {
  private readonly mirror: HashMirror;
  private readonly streams: HashMirror;
  // Unchanged lists and states are the same objects as before.
  private readonly listTexts = new WeakMap<readonly string[], string>();
  private readonly recordTexts = new WeakMap<WorkerConnectionState, string>();
  private readonly ended = new AbortController();
  private readonly writes = new Repeater({ signal: this.ended.signal, run: () => this.write() });
  private lastWrite = Number.NEGATIVE_INFINITY;
  /** How long the last write took to prepare. Milliseconds. */
  private spent = 0;

  constructor(
    store: FencedStore,
    keys: ClusterKeys,
    private readonly states: () => Iterable<WorkerConnectionState>,
  ) {
    this.mirror = new HashMirror(store, keys.connections);
    this.streams = new HashMirror(store, keys.streams, keys.streamsRevision);
  }

  /** Reads what a predecessor left, so that workers which are no longer configured disappear. */
  async load(redis: Redis): Promise<LeftWorkers> {
    const [records] = await Promise.all([this.mirror.load(redis), this.streams.load(redis)]);
    const left = [...records].map(([id, text]) => ({ id, record: parsedJson(text) as PublishedRecord }));
    return {
      online: new Map(left.map(({ id, record }) => [id, record?.online === true])),
      drains: new Map(
        left.flatMap(({ id, record }) =>
          Number.isInteger(record?.drainTotal) ? [[id, record!.drainTotal!]] : [],
        ),
      ),
    };
  }

  /** A worker has connected, disconnected, or changed its streams. */
  stateChanged(): void {
    this.schedule(MIN_INTERVAL);
  }

  /** A worker has reported only newer figures. */
  figuresChanged(): void {
    this.schedule(FIGURES_INTERVAL);
  }

  /** See {@link HashMirror.compare}. */
  async compare(): Promise<boolean> {
    const differs = await compareInTurn(this.mirror, this.streams);
    if (differs) this.stateChanged();
    return differs;
  }

  stop(): void {
    this.ended.abort();
  }

  private schedule(interval: number): void {
    const rest = Math.max(interval, RARITY * this.spent);
    this.writes.poke(Math.max(MIN_INTERVAL / 10, this.lastWrite + rest - performance.now()));
  }

  private async write(): Promise<void> {
    this.lastWrite = performance.now();
    try {
      const lists = new Map<string, string>();
      const records = new Map<string, string>();
      const slices = new TimeSlices();
      const describe = (state: WorkerConnectionState) => {
        const { subscriptions, url } = state;
        lists.set(
          url,
          getOrInsertComputed(this.listTexts, subscriptions, (list) => JSON.stringify(list)),
        );
        records.set(url, getOrInsertComputed(this.recordTexts, state, recordOf));
      };
      await runInSlices(inChunks(this.states(), describe), slices);
      this.spent = slices.spent;
      await this.streams.sync(lists);
      await this.mirror.sync(records);
    } catch {
      // The next report retries. Other code logs that Redis is unavailable or this master is deposed.
    }
  }
}

const recordOf = ({ subscriptions: _list, ...record }: WorkerConnectionState): string =>
  JSON.stringify(record);

/** Another program may have written it. */
type PublishedRecord = Partial<WorkerConnectionState> | null | undefined;
