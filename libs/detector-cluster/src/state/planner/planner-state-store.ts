import type { Redis } from 'ioredis';
import type { FencedStore } from '../../store/fenced-store.js';
import { fromMoveRecord, toMoveRecord } from '../../reconcile/moves/move-record.js';
import type { StreamMove } from '../../reconcile/moves/stream-move.js';
import type { ClusterKeys } from '../../store/cluster-keys.js';
import { HashMirror } from '../hash-mirror.js';
import { fromPlannerRecord, toPlannerRecord, type PlannerMemory } from './planner-record.js';

/** Keeps the moves under way and the planner's memory in Redis, so that a successor continues with them. */
export class PlannerStateStore {
  moves: ReadonlyMap<string, StreamMove> = new Map();
  memory: PlannerMemory = { state: null, penalties: new Map(), flaps: {} };

  private readonly mirror: HashMirror;
  private written = '';

  constructor(
    private readonly store: FencedStore,
    private readonly keys: ClusterKeys,
  ) {
    this.mirror = new HashMirror(store, keys.moves);
  }

  async load(redis: Redis): Promise<void> {
    const [moves, text] = await Promise.all([this.mirror.load(redis), redis.get(this.keys.planner)]);
    const now = performance.now();
    this.moves = new Map(
      [...moves.values()].flatMap((record) => {
        const move = fromMoveRecord(record, now);
        return move === null ? [] : [[move.unitId, move] as const];
      }),
    );
    this.memory = fromPlannerRecord(text, Date.now());
    this.written = text ?? '';
  }

  /** See {@link HashMirror.doubt}. */
  doubt(): void {
    this.mirror.doubt();
    this.written = '';
  }

  /** Writes the changes, and only then remembers them. */
  async commit(moves: ReadonlyMap<string, StreamMove>, memory: PlannerMemory): Promise<void> {
    await this.mirror.sync(
      new Map([...moves].map(([unitId, move]) => [unitId, toMoveRecord(move, this.store.term)])),
    );
    this.moves = moves;
    const text = toPlannerRecord(memory);
    if (text !== this.written) await this.store.write([['SET', this.keys.planner, text]]);
    this.written = text;
    this.memory = memory;
  }
}
