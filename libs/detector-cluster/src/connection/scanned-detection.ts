import { parseWorkerMessage, type ImageDetectionMessage } from '@detector-cluster/worker-protocol';

/**
 * A detection frame whose subscription has been read. The other fields are parsed on first access: the master does not need
 * them to pass the frame on. The frame must be one that `subscriptionOfDetection` has accepted.
 */
export class ScannedDetection implements ImageDetectionMessage {
  [field: string]: unknown;
  readonly type = 'imageDetection';
  private whole: ImageDetectionMessage | null = null;

  constructor(
    readonly subscriptionIdentifier: string,
    private readonly frame: Buffer,
  ) {}

  get timestamp(): string {
    return this.message().timestamp;
  }

  get data(): ImageDetectionMessage['data'] {
    return this.message().data;
  }

  private message(): ImageDetectionMessage {
    if (this.whole !== null) return this.whole;
    const parsed = parseWorkerMessage(this.frame);
    if (!parsed.ok || parsed.message.type !== 'imageDetection')
      throw new TypeError('the frame is not an image detection');
    return (this.whole = parsed.message);
  }
}
