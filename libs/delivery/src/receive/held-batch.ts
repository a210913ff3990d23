import type { FinishedBatch } from '../log/log-store.js';

/** A batch of a log that this process has read: which of its detections are finished. */
export class HeldBatch {
  private readonly finished: Uint8Array;
  private news = 0;

  /** @param mask of the detections that owners before have finished; empty for none */
  constructor(
    readonly id: string,
    private readonly bytes: number,
    count: number,
    mask: string,
  ) {
    this.finished = new Uint8Array(count);
    for (let i = 0; i < mask.length; i++) if (mask[i] === '1') this.finished[i] = 1;
  }

  isFinished(place: number): boolean {
    return this.finished[place] === 1;
  }

  /** A dead letter has been made of the detection, which has noted that it is finished. */
  gaveUp(place: number): void {
    this.finished[place] = 1;
  }

  /** The detection is to be in the next acknowledgement. */
  finish(place: number): void {
    this.finished[place] = 1;
    this.news++;
  }

  /** What has been finished, for one acknowledgement. */
  acknowledgement(): FinishedBatch {
    const { bytes, finished, id, news } = this;
    this.news = 0;
    return { id, bytes, news, mask: finished.join('') };
  }
}
