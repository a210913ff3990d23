import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { signal } from '@preact/signals';

export interface StoredLastParts {
  /** Whether the service keeps detections. */
  readonly keeps: () => Promise<boolean>;
  /** The newest detection of a camera that the service keeps; null: none. */
  readonly find: (cameraId: string) => Promise<DetectionItem | null>;
}

/** The last detections of cameras, from those that the service keeps. Cameras are asked for one by one, the latest request first. */
export class StoredLast {
  /** Camera → its last detection; null: none is kept. Cameras that were not asked for are missing. */
  readonly found = signal<ReadonlyMap<string, DetectionItem | null>>(new Map());
  private readonly waiting = new Set<string>();
  private running = false;
  private keeps: boolean | null = null;

  constructor(private readonly parts: StoredLastParts) {}

  /** A camera is in view. Returns a function that says that it no longer is. */
  want(cameraId: string): () => void {
    if (this.keeps === false || this.found.peek().has(cameraId)) return () => undefined;
    this.waiting.delete(cameraId);
    this.waiting.add(cameraId);
    if (!this.running) void this.run();
    return () => void this.waiting.delete(cameraId);
  }

  /** A newer detection has arrived, which the feed will drop at some time. */
  note(cameraId: string, last: DetectionItem): void {
    if (this.found.peek().has(cameraId)) this.set(cameraId, last);
  }

  /** The camera is not shown any more, so that newer detections are missed. */
  forget(cameraId: string): void {
    if (!this.found.peek().has(cameraId)) return;
    const found = new Map(this.found.peek());
    found.delete(cameraId);
    this.found.value = found;
  }

  private set(cameraId: string, last: DetectionItem | null): void {
    this.found.value = new Map(this.found.peek()).set(cameraId, last);
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      this.keeps ??= await this.parts.keeps();
      while (this.keeps && this.waiting.size > 0) {
        const cameraId = Array.from(this.waiting).at(-1)!;
        this.waiting.delete(cameraId);
        this.set(cameraId, await this.parts.find(cameraId));
      }
    } catch {
      // The service or its database is unavailable. The next camera in view asks again.
    } finally {
      this.running = false;
      this.waiting.clear();
    }
  }
}
