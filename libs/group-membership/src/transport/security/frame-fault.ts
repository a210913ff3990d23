/**
 * Why a frame was dropped: `malformed`: not a message; `oversized`: longer than allowed; `unsigned`: no signature; `forged`: a wrong
 * signature (another secret, or a changed frame); `replayed`: a copy of an accepted frame; `version`: another protocol version;
 * `foreign`: a message of another group.
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
