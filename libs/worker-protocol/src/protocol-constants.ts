/** Default port of a worker. */
export const DEFAULT_WORKER_PORT = 8000;

/** Largest frame either side accepts, in bytes: 1 MiB. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** Deepest accepted nesting of arrays and objects; protects recursive consumers of a message. */
export const MAX_NESTING = 500;

/** How often a worker reports its state, in milliseconds. */
export const STATE_REPORT_INTERVAL_MS = 2000;

/** Upgrade header with the master's term: a decimal integer that increases with every change of master. */
export const TERM_HEADER = 'x-detector-term';

/** Upgrade header with the id of the master's process, for logs. */
export const MASTER_HEADER = 'x-detector-master';

/** Upgrade header of a master that confirms detections; its value is `1`. */
export const CONFIRMS_HEADER = 'x-detector-confirms';

/** Header of a worker's answer to the upgrade: the worker numbers its detections under this {@link BOOT_PATTERN boot}. */
export const BOOT_HEADER = 'x-detector-boot';

/** What a worker draws at random when it starts. */
export const BOOT_PATTERN = /^[A-Za-z0-9]{8,32}$/;

/** How many bytes of detections that are not confirmed a worker keeps: 2 MiB. */
export const MAX_UNCONFIRMED_BYTES = 2 * 1024 * 1024;

/** WebSocket close codes that have a meaning in this protocol. */
export const CloseCode = {
  /** The side that closes is shutting down on purpose. */
  GoingAway: 1001,
  /** A frame above {@link MAX_FRAME_BYTES}. */
  MessageTooBig: 1009,
  /** A master with a newer term has connected. The closed one must no longer send commands to the worker. */
  Superseded: 4409,
} as const;
