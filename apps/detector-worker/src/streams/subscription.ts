import type { SubscribePayload } from '@detector-cluster/worker-protocol';

/** One subscription as the master asked for it. */
export interface Subscription {
  readonly identifier: string;
  readonly displayId: string;
  readonly cameraId: string;
  readonly payload: SubscribePayload;
}
