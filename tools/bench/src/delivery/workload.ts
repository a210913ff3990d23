/** Workers, each with its own socket. */
export const WORKERS = 20;

/** The same where each frame is a write of its own, as real workers send them: consecutive detections come from different workers. */
export const MANY_WORKERS = 1_000;

/** Subscriptions of all workers. Detection `n` belongs to subscription `n % SUBSCRIPTIONS`. */
export const SUBSCRIPTIONS = 2_000;

/** Bytes of a frame, without its WebSocket header. */
export const FRAME_BYTES = 400;

/** Processes that take detections, on every path. */
export const CONSUMERS = 2;

/** Consumer `c` has listeners for the subscriptions `s` with `s % LISTEN_EVERY === c`. */
export const LISTEN_EVERY = 100;

/** At most this many detections are in flight during a flood. */
export const WINDOW = 8_000;

/** Most detections in an entry of the bare loop with batches. */
export const BATCH_DETECTIONS = 32;

/** A consumer reports its progress after this many detections, a small part of the window. */
export const TAKEN_STEP = 200;

/** Whether a consumer has a listener for the subscription of a detection. */
export function isListenedTo(consumer: number, detection: number): boolean {
  return (detection % SUBSCRIPTIONS) % LISTEN_EVERY === consumer;
}
