import { SettledWatermark } from '@detector-cluster/delivery/internal';
import type { DetectionsAcceptedCommand, ImageDetectionMessage } from '@detector-cluster/worker-protocol';

/** At most one confirmation in this time. Milliseconds. */
const INTERVAL = 100;

/** A detection that its worker has numbered. */
export interface NumberedDetection {
  /** `<boot>-<seq>`: the same when it comes again, to this master or to another one. */
  readonly id: string;
  /** No later master needs it. */
  readonly onSettled: () => void;
}

/** Confirms what one connection of a worker has brought that numbers its detections. */
export class DetectionReceipts {
  private readonly watermark = new SettledWatermark(() => this.confirmSoon());
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * @param boot as the worker has announced it
   * @param send returns false if the socket has no room at present
   */
  constructor(
    private readonly boot: string,
    private readonly send: (command: DetectionsAcceptedCommand) => boolean,
  ) {}

  /** Returns why the frame breaks the rules if it does. */
  take({ boot, seq }: ImageDetectionMessage): NumberedDetection | string {
    if (boot === undefined || seq === undefined)
      return 'boot and seq: missing, although the answer to the upgrade has X-Detector-Boot';
    if (boot !== this.boot) return 'boot: not the one of the answer to the upgrade';
    const { last } = this.watermark;
    if (seq <= last) return `seq: ${seq} after ${last}; it must rise on a connection`;
    return { id: `${boot}-${seq}`, onSettled: this.watermark.take(seq) };
  }

  /** The connection is over, or nothing may be sent on it any more. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private confirmSoon(): void {
    if (!this.isClosed) this.timer ??= setTimeout(() => this.confirm(), INTERVAL);
  }

  private confirm(): void {
    this.timer = undefined;
    const { boot, watermark } = this;
    if (!this.send({ type: 'detectionsAccepted', payload: { boot, upTo: watermark.upTo } }))
      this.confirmSoon();
  }
}
