import { get, type RecentDetection } from '@detector-cluster/local-cluster';

/** In pixels of the camera's frame. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the worker in Python says of one frame in which something moves. */
export interface BoxDetection {
  readonly boxes: readonly Box[];
  readonly frameWidth: number;
  readonly frameHeight: number;
  readonly workerName: string;
  readonly sequence: number;
}

interface Page {
  readonly items: readonly RecentDetection[];
  readonly nextCursor: string;
}

/** The detections with boxes that reached callbacks, in the order in which they were read here, each once. */
export class BoxLog {
  private readonly seen = new Set<string>();
  private readonly cursors = new Map<string, string>();
  private readonly detections: { readonly of: string; readonly detection: BoxDetection }[] = [];

  /** Reads what is new on these backends; one that does not answer is read next time. */
  async read(backends: readonly { readonly url: string }[]): Promise<void> {
    for (const { url } of backends) {
      const cursor = this.cursors.get(url);
      const from = cursor === undefined ? '' : `&cursor=${cursor}`;
      const page = await get<Page>(url, `/api/detections/recent?limit=1000${from}`).catch(() => null);
      if (page === null) continue;
      this.cursors.set(url, page.nextCursor);
      for (const item of page.items) this.add(item);
    }
  }

  of(subscriptionIdentifier: string): BoxDetection[] {
    return this.detections
      .filter(({ of }) => of === subscriptionIdentifier)
      .map(({ detection }) => detection);
  }

  private add({ detectionId, subscriptionIdentifier, data }: RecentDetection): void {
    if (this.seen.has(detectionId)) return;
    this.seen.add(detectionId);
    // Null says that motion has ended.
    if (data.detection === null) return;
    this.detections.push({
      of: subscriptionIdentifier,
      detection: data.detection as unknown as BoxDetection,
    });
  }
}
