import { setTimeout as sleep } from 'node:timers/promises';
import { Repeater } from '@detector-cluster/election/internal';
import type { MasterElection } from '@detector-cluster/master-election';
import { Logger } from '@nestjs/common';
import type { AppConfig } from '../config/app-config.js';
import type { DetectionPictures } from './detection-pictures.js';
import { classifyDatabaseError } from '../stores/database-error.js';
import type { Prisma, PrismaClient, StoredDetection } from '../generated/prisma/client.js';

/** Milliseconds. */
const INTERVAL = 60_000;
const HOUR = 3_600_000;

/** How many rows one statement deletes. The limit keeps its locks short. */
const BATCH = 1_000;

/** Between two statements. Milliseconds. */
const PAUSE = 50;

const SELECT = { id: true, detectionId: true, pictureBytes: true } as const;

export interface DetectionSweeperOptions {
  readonly prisma: Pick<PrismaClient, 'storedDetection'>;
  readonly election: { readonly lease: Pick<NonNullable<MasterElection['lease']>, 'isValid'> | null };
  readonly limits: NonNullable<AppConfig['detectionHistory']>;
  /** Null: no pictures are kept. */
  readonly pictures: Pick<DetectionPictures, 'remove'> | null;
  readonly now?: () => number;
}

/**
 * Deletes detections beyond the limits in age and number, on the master only, because several processes would wait for each other's
 * locks. It does not need a fence: a deposed master deletes only detections that are beyond the limits for its successor, too.
 */
export class DetectionSweeper {
  private readonly logger = new Logger('detections');
  private readonly ending = new AbortController();
  private readonly sweeps = new Repeater({ signal: this.ending.signal, run: () => this.run() });
  private failed = false;

  constructor(private readonly options: DetectionSweeperOptions) {}

  start(): void {
    this.sweeps.poke(INTERVAL);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.sweeps.settled;
  }

  /** One sweep at a time. Never rejects before {@link stop}. */
  sweep(): Promise<void> {
    return this.sweeps.next();
  }

  private async run(): Promise<void> {
    this.sweeps.poke(INTERVAL);
    try {
      await this.deleteSurplus();
      this.failed = false;
    } catch (error) {
      // If the database is unavailable, other parts log it.
      if (classifyDatabaseError(error)?.kind === 'unavailable' || this.failed) return;
      this.failed = true;
      this.logger.warn(`old detections cannot be deleted: ${String(error)}`);
    }
  }

  private async deleteSurplus(): Promise<void> {
    const { limits, prisma, now = Date.now } = this.options;
    await this.deleteAll({ receivedAt: { lt: new Date(now() - limits.hours * HOUR) } });
    if (!this.mayDelete()) return;
    const surplus = await prisma.storedDetection.findFirst({
      orderBy: { id: 'desc' },
      skip: limits.rows,
      select: { id: true },
    });
    if (surplus !== null) await this.deleteAll({ id: { lte: surplus.id } });
    await this.deletePictures();
  }

  /** The oldest, while all of them take more bytes than they may. */
  private async deletePictures(): Promise<void> {
    const { limits, prisma } = this.options;
    if (limits.pictures === null) return;
    const where = { pictureBytes: { not: null } };
    const { _sum } = await prisma.storedDetection.aggregate({ where, _sum: { pictureBytes: true } });
    let excess = (_sum.pictureBytes ?? 0) - limits.pictures.bytes;
    while (excess > 0 && this.mayDelete()) {
      const rows = await prisma.storedDetection.findMany({
        where,
        orderBy: { id: 'asc' },
        take: BATCH,
        select: SELECT,
      });
      const surplus: typeof rows = [];
      for (const row of rows) {
        if (excess <= 0) break;
        surplus.push(row);
        excess -= row.pictureBytes ?? 0;
      }
      if (surplus.length === 0) return;
      await this.removePictures(surplus);
      const ids = surplus.map(({ id }) => id);
      await prisma.storedDetection.updateMany({ where: { id: { in: ids } }, data: { pictureBytes: null } });
    }
  }

  /** Before their rows: afterwards they could not be found. */
  private async removePictures(rows: readonly Pick<StoredDetection, 'detectionId' | 'pictureBytes'>[]) {
    for (const { detectionId, pictureBytes } of rows)
      if (pictureBytes !== null) await this.options.pictures?.remove(detectionId);
  }

  private async deleteAll(where: Prisma.StoredDetectionWhereInput): Promise<void> {
    const { storedDetection } = this.options.prisma;
    while (this.mayDelete()) {
      const rows = await storedDetection.findMany({
        where,
        orderBy: { id: 'asc' },
        take: BATCH,
        select: SELECT,
      });
      await this.removePictures(rows);
      if (rows.length > 0)
        await storedDetection.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
      if (rows.length < BATCH) return;
      await sleep(PAUSE);
    }
  }

  private mayDelete(): boolean {
    return !this.ending.signal.aborted && this.options.election.lease?.isValid() === true;
  }
}
