import { createHash } from 'node:crypto';
import type { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Logger } from '@nestjs/common';
import type { PrismaClient } from '../generated/prisma/client.js';
import type { DetectionRow } from './detection-row.js';
import type { PictureStore } from './picture-store.js';

/** How many detections wait for their pictures. Beyond it, the oldest get none: workers keep pictures for a short time only. */
const MAX_WAITING = 200;

/** How many pictures are fetched at the same time. */
const AT_ONCE = 4;

/** Larger pictures are not kept. Bytes. */
const MAX_SIZE = 2 * 1024 * 1024;

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

type Wanted = Pick<DetectionRow, 'detectionId' | 'subscriptionIdentifier' | 'workerUrl'> & {
  readonly pictureId: string;
};

export interface DetectionPicturesParts {
  readonly prisma: Pick<PrismaClient, 'storedDetection'>;
  readonly store: Promise<PictureStore>;
  /** Fetches the picture of a detection from its worker. */
  readonly fetch: DetectorCluster['getCameraImage'];
}

/**
 * Keeps the picture of each stored detection. The size is in the row before the picture is in the store, so that the picture is deleted
 * with its row. A detection whose picture cannot be fetched or stored has none.
 */
export class DetectionPictures {
  private readonly logger = new Logger('detections');
  private waiting: Wanted[] = [];
  private running = 0;
  private kept = 0;
  private missed = 0;
  private failing = false;
  private ended = false;

  constructor(private readonly parts: DetectionPicturesParts) {}

  /** @param rows that were just stored */
  want(rows: readonly DetectionRow[]): void {
    const wanted = rows.flatMap((row) => (row.pictureId == null ? [] : { ...row, pictureId: row.pictureId }));
    this.waiting.push(...wanted);
    const excess = Math.max(0, this.waiting.length - MAX_WAITING);
    this.waiting.splice(0, excess);
    this.missed += excess;
    while (this.running < AT_ONCE && this.waiting.length > 0 && !this.ended) void this.run();
  }

  stats() {
    return { kept: this.kept, missed: this.missed };
  }

  end(): void {
    this.ended = true;
  }

  /** The picture of a detection; null: none is kept, or its row is gone. */
  async read(detectionId: string): Promise<Buffer | null> {
    const where = { detectionId, pictureBytes: { not: null } };
    const found = await this.parts.prisma.storedDetection.findFirst({ where, select: { id: true } });
    return found === null ? null : (await this.parts.store).get(nameOf(detectionId));
  }

  async remove(detectionId: string): Promise<void> {
    await (await this.parts.store).remove(nameOf(detectionId));
  }

  private async run(): Promise<void> {
    this.running++;
    // The newest first: its worker still has the picture.
    for (let next = this.waiting.pop(); next !== undefined && !this.ended; next = this.waiting.pop())
      try {
        await this.keep(next);
      } catch (error) {
        this.missed++;
        if (!this.failing) this.logger.warn(`pictures of detections are not kept: ${String(error)}`);
        this.failing = true;
      }
    this.running--;
  }

  private async keep(wanted: Wanted): Promise<void> {
    const { detectionId, subscriptionIdentifier, pictureId, workerUrl } = wanted;
    const picture = await this.parts.fetch(subscriptionIdentifier, { pictureId, workerUrl });
    if (!picture.subarray(0, JPEG.length).equals(JPEG)) throw new Error(`no JPEG from ${workerUrl}`);
    if (picture.length > MAX_SIZE) throw new Error(`a picture of ${picture.length} bytes from ${workerUrl}`);
    const { storedDetection } = this.parts.prisma;
    const where = { detectionId };
    // Another process may have got the detection again.
    const { count } = await storedDetection.updateMany({
      where: { ...where, pictureBytes: null },
      data: { pictureBytes: picture.length },
    });
    if (count === 0) return;
    const store = await this.parts.store;
    try {
      await store.put(nameOf(detectionId), picture);
    } catch (error) {
      await storedDetection.updateMany({ where, data: { pictureBytes: null } });
      throw error;
    }
    if ((await storedDetection.count({ where })) === 0) await store.remove(nameOf(detectionId));
    this.kept++;
    this.failing = false;
  }
}

/** Ids may be any text. */
function nameOf(detectionId: string): string {
  return createHash('sha256').update(detectionId).digest('hex');
}
