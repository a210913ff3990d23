import type { FencedStore, GuardedCommand } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { Commit } from '../shared/commit.js';
import {
  checkedPosition,
  following,
  isSameHistory,
  parseHistory,
  whyBehind,
  type DatabaseHistory,
  type DatabasePosition,
} from '../sources/database-history.js';
import type { DesiredState } from '../sources/desired-state-source.js';
import { UncertainReadError } from '../sources/uncertain-read.error.js';

const STANDBY = 'the database is a standby, which may be behind: connect to the primary';

/**
 * Refuses a read of the desired state that may be behind an earlier one, also of another master: after a failover of the database, the
 * former primary and standbys may still answer.
 */
export class CertainReads {
  private seen: DatabaseHistory | null = null;
  /** Why the last read was refused. */
  private refused: string | null = null;

  /** @param onMoved gets a line when another server has taken over */
  constructor(
    private readonly store: FencedStore,
    private readonly keys: Pick<ClusterKeys, 'database'>,
    private readonly onMoved: (message: string) => void = () => undefined,
  ) {}

  /** Takes over what the predecessor has read. */
  async load(redis: Redis): Promise<void> {
    const record = parseHistory(await redis.get(this.keys.database));
    this.seen = record?.history ?? null;
    this.refused = record?.refused ?? null;
  }

  /**
   * A snapshot was taken at this position. Without a position every read counts.
   * @throws {UncertainReadError} with the remedy
   */
  async judge(given: DesiredState['position']): Promise<void> {
    if (given === undefined) return;
    if (given === 'standby') return this.refuse(STANDBY);
    const position = checkedPosition(given);
    const problem = whyBehind(this.seen, position);
    const { database } = this.keys;
    // Without the record an operator has confirmed the database.
    if (problem !== null && (await this.store.redis.get(database)) !== null)
      return this.refuse(
        `${problem}: connect to the present primary, or if this one was restored on purpose, confirm it with DEL ${database} in Redis`,
      );
    const next = following(problem === null ? this.seen : null, position);
    if (this.seen !== null && !isSameHistory(this.seen, next))
      this.onMoved(`the database is ${describe(next)} now, and was ${describe(this.seen)}`);
    this.seen = next;
  }

  /** Notes in Redis what has been read, together with what the master does because of it. */
  addTo(commit: Commit): void {
    if (this.seen === null && this.refused === null) return;
    const record = this.record(null);
    commit.add({
      length: record.length,
      commands: () => [this.set(record)],
      written: () => (this.refused = null),
    });
  }

  /** Whether no other history has been read since. */
  isPresent(position: DesiredState['position']): boolean {
    return (
      position === undefined ||
      this.seen === null ||
      (position !== 'standby' && isSameHistory(position, this.seen))
    );
  }

  private async refuse(problem: string): Promise<never> {
    await this.store.write([this.set(this.record(problem))]);
    this.refused = problem;
    throw new UncertainReadError(problem);
  }

  private record(refused: string | null): string {
    return JSON.stringify({ history: this.seen, refused });
  }

  private set(record: string): GuardedCommand {
    return ['SET', this.keys.database, record];
  }
}

const describe = ({ system, timeline }: DatabasePosition) => `system ${system} on timeline ${timeline}`;
