/**
 * Why a frame was dropped: `malformed` is no message, `oversized` longer than allowed, `unsigned` without a signature, `forged` with
 * a wrong one (another secret, or changed), `replayed` a copy of one that was taken, `version` of another protocol version,
 * `foreign` a message of another group.
 */
export const FRAME_FAULTS = [
  'malformed',
  'oversized',
  'unsigned',
  'forged',
  'replayed',
  'version',
  'foreign',
] as const;

export type FrameFault = (typeof FRAME_FAULTS)[number];
