import { Repeater } from '@detector-cluster/election/internal';
import { Logger } from '@nestjs/common';
import { classifyDatabaseError } from '../stores/database-error.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import type { ReceivedDetection } from './recent-detections.js';
import { toRow, type DetectionRow } from './detection-row.js';

/** Maximum number of detections that wait for the database, about 20 MB. */
export const MAX_WAITING = 10_000;

/** Maximum number of rows in one statement. */
const BATCH = 500;

/** Detections within this time are written together. Milliseconds. */
const GATHER = 500;

/** Pause after the database was unavailable. Milliseconds. */
const PAUSE = 1_000;

/** How long the process waits at its end for the last detections to be written. Milliseconds. */
const LAST_WRITE = 2_000;

/**
 * Writes detections to the database in the background. A callback never waits for it. Detections that the database cannot accept in
 * time are dropped, the oldest first, and counted. A redelivered detection has the same row.
 */
export class DetectionStore {
  private readonly logger = new Logger('detections');
  private waiting: DetectionRow[] = [];
  private stored = 0;
  private dropped = 0;
  private dropping = false;
  private readonly ending = new AbortController();
  private readonly writes = new Repeater({ signal: this.ending.signal, run: () => this.write() });

  constructor(
    private readonly prisma: Pick<PrismaClient, 'storedDetection'>,
    private readonly processId: string,
    private readonly onStored: (rows: readonly DetectionRow[]) => void = () => undefined,
  ) {}

  /** Never waits and never throws: delivery does not depend on it. */
  add(detection: ReceivedDetection): void {
    const row = toRow(detection, this.processId);
    if (row === null || this.ending.signal.aborted) {
      this.dropped++;
      return;
    }
    this.waiting.push(row);
    this.trim();
    this.writes.poke(GATHER);
  }

  /** How many were written, dropped, and wait. */
  stats() {
    const { stored, dropped, waiting } = this;
    return { stored, dropped, waiting: waiting.length };
  }

  /** Writes the waiting detections, for up to 2 s. The rest is dropped. */
  async close(): Promise<void> {
    this.ending.abort();
    const deadline = performance.now() + LAST_WRITE;
    await this.writes.settled;
    while (this.waiting.length > 0 && performance.now() < deadline) if (!(await this.writeBatch())) break;
    this.dropped += this.waiting.length;
    this.waiting = [];
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0 && !this.ending.signal.aborted)
      if (!(await this.writeBatch())) {
        this.writes.rest(PAUSE);
        this.writes.poke();
        return;
      }
  }

  /** Returns false if the database is unavailable. */
  private async writeBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH);
    try {
      const { count } = await this.prisma.storedDetection.createMany({ data: batch, skipDuplicates: true });
      this.stored += count;
      this.onStored(batch);
      this.dropping = false;
    } catch (error) {
      if (classifyDatabaseError(error)?.kind === 'unavailable') {
        this.waiting.unshift(...batch);
        this.trim();
        return false;
      }
      this.dropped += batch.length;
      this.sayOnce(`the database refuses detections, which are not kept: ${String(error)}`);
    }
    return true;
  }

  private trim(): void {
    const excess = this.waiting.length - MAX_WAITING;
    if (excess <= 0) return;
    this.waiting.splice(0, excess);
    this.dropped += excess;
    this.sayOnce('the database does not take detections fast enough: the oldest are not kept');
  }

  private sayOnce(problem: string): void {
    if (!this.dropping) this.logger.warn(problem);
    this.dropping = true;
  }
}
