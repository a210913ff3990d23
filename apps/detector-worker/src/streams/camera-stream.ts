import type { Pacer } from './pacer.js';
import type { Subscription } from './subscription.js';

/** One connection to one camera, shared by all subscriptions of that camera. */
export interface CameraStream {
  readonly cameraId: string;
  /** New with every start, so that frames of different starts can be told apart. */
  readonly streamId: string;
  readonly rtspUrl: string;
  /** ISO 8601. */
  readonly since: string;
  readonly pacer: Pacer;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
}
