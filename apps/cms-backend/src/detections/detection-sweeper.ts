import { setTimeout as sleep } from 'node:timers/promises';
import type { MasterElection } from '@detector-cluster/master-election';
import { Logger } from '@nestjs/common';
import type { DetectionHistoryConfig } from '../config/app-config.js';
import { classifyDatabaseError } from '../stores/database-error.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';

/** Milliseconds. */
const INTERVAL = 60_000;
const HOUR = 3_600_000;

/** How many rows one statement deletes. The limit keeps its locks short. */
const BATCH = 1_000;

/** Between two statements. Milliseconds. */
const PAUSE = 50;

export interface DetectionSweeperOptions {
  readonly prisma: Pick<PrismaClient, 'storedDetection'>;
  readonly election: { readonly lease: Pick<NonNullable<MasterElection['lease']>, 'isValid'> | null };
  readonly limits: DetectionHistoryConfig;
  readonly now?: () => number;
}

/**
 * Deletes detections beyond the limits in age and number, on the master only, because several processes would wait for each other's
 * locks. It does not need a fence: a deposed master deletes only detections that are beyond the limits for its successor, too.
 */
export class DetectionSweeper {
  private readonly logger = new Logger('detections');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | null = null;
  private failed = false;
  private ended = false;

  constructor(private readonly options: DetectionSweeperOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.sweep(), INTERVAL);
  }

  async stop(): Promise<void> {
    this.ended = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One sweep at a time. Never rejects. */
  sweep(): Promise<void> {
    this.sweeping ??= this.deleteSurplus()
      .then(
        () => (this.failed = false),
        (error: unknown) => {
          // If the database is unavailable, other parts log it.
          if (classifyDatabaseError(error)?.kind === 'unavailable' || this.failed) return;
          this.failed = true;
          this.logger.warn(`old detections cannot be deleted: ${String(error)}`);
        },
      )
      .then(() => void (this.sweeping = null));
    return this.sweeping;
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
  }

  private async deleteAll(where: Prisma.StoredDetectionWhereInput): Promise<void> {
    const { storedDetection } = this.options.prisma;
    while (this.mayDelete()) {
      const rows = await storedDetection.findMany({
        where,
        orderBy: { id: 'asc' },
        take: BATCH,
        select: { id: true },
      });
      if (rows.length > 0)
        await storedDetection.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
      if (rows.length < BATCH) return;
      await sleep(PAUSE);
    }
  }

  private mayDelete(): boolean {
    return !this.ended && this.options.election.lease?.isValid() === true;
  }
}
