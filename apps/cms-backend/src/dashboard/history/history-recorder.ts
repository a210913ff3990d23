import { HISTORY_RANGES, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import type { FencedStore } from '@detector-cluster/detector-cluster/store';
import { FencedError, type GuardedCommand } from '@detector-cluster/election/fence';
import { KeyGuard, type KeyType } from '@detector-cluster/election/internal/redis';
import { encodeRecord, decodeRecord, merged, type HistoryRecord } from './history-record.js';
import { intervalOf, slotOf, type HistoryKeys } from './history-keys.js';
import { WorkerLines } from './worker-lines.js';

/** The cluster at one moment, as its master knows it. */
export interface HistorySample extends Pick<
  HistoryRecord,
  'detectionsPerSecond' | 'lagMs' | 'subscriptions'
> {
  /** Worker URL → percent; null: it reports none. */
  readonly loads: ReadonlyMap<string, number | null>;
}

/**
 * Writes the history during one term of the master, through its fence, so that Redis refuses writes of a deposed master. Each sample
 * goes into the current interval of every ring; a successor continues the intervals that it finds.
 */
export class HistoryRecorder {
  private lines: WorkerLines | null = null;
  private writtenLines = '';
  private current = new Map<HistoryRange, HistoryRecord>();
  /** Failovers that are not written yet: at first the one that began this term. */
  private failovers = 1;

  /** @param onSetAside another program has changed the type of a key; a sentence that names it */
  constructor(
    private readonly store: FencedStore,
    private readonly keys: HistoryKeys,
    private readonly onSetAside: (message: string) => void,
  ) {}

  /**
   * Records a sample. If Redis does not take it, the call rejects, and the sample is lost.
   * @param at when its interval began, in milliseconds since 1970
   * @returns false when this term is over
   */
  async record(sample: HistorySample, at: number): Promise<boolean> {
    const lines = (this.lines ??= await this.resume(at));
    const { loads, ...figures } = sample;
    const known = Array.from(loads.values()).filter((load) => load !== null);
    const record: HistoryRecord = {
      ...figures,
      at,
      samples: 1,
      failovers: this.failovers,
      meanLoad: known.length === 0 ? null : known.reduce((sum, load) => sum + load, 0) / known.length,
      highestLoad: known.length === 0 ? null : Math.max(...known),
      loads: lines.arrange(loads, at),
    };
    const next = new Map(HISTORY_RANGES.map((range) => [range, this.continued(range, record)]));
    const text = lines.encode();
    const commands: GuardedCommand[] = Array.from(next, ([range, interval]) => [
      'HSET',
      this.keys.ring(range),
      slotOf(range, interval.at),
      encodeRecord(interval),
    ]);
    if (text !== this.writtenLines) commands.push(['SET', this.keys.lines, text]);
    try {
      await this.store.write(commands);
    } catch (error) {
      if (error instanceof FencedError) return false;
      throw error;
    }
    this.current = next;
    this.writtenLines = text;
    this.failovers = 0;
    return true;
  }

  /** After a write that Redis has refused: the next one is possible if only the types of keys were wrong. Never rejects. */
  async repair(): Promise<void> {
    const types = new Map<string, KeyType>([[this.keys.lines, 'string']]);
    for (const range of HISTORY_RANGES) types.set(this.keys.ring(range), 'hash');
    await new KeyGuard(this.store.redis, false, this.onSetAside).look(types).catch(() => undefined);
  }

  private continued(range: HistoryRange, record: HistoryRecord): HistoryRecord {
    const at = intervalOf(range, record.at);
    const before = this.current.get(range);
    return before?.at === at ? merged(before, record) : { ...record, at };
  }

  /** Reads the intervals that the predecessor has begun. */
  private async resume(at: number): Promise<WorkerLines> {
    const { redis } = this.store;
    const [text, ...records] = await Promise.all([
      redis.get(this.keys.lines),
      ...HISTORY_RANGES.map((range) => redis.hget(this.keys.ring(range), slotOf(range, at))),
    ]);
    HISTORY_RANGES.forEach((range, index) => {
      const record = decodeRecord(records[index]);
      if (record !== null) this.current.set(range, record);
    });
    this.writtenLines = text ?? '';
    return new WorkerLines(text ?? null);
  }
}
