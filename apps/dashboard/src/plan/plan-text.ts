import type { Texts } from '../wording/texts.js';

/** Why a worker does not take a camera. */
export const REJECTIONS: Texts = {
  'not-ready': 'not ready',
  cordoned: 'cordoned',
  draining: 'draining',
  memory: 'memory 92 % or more in use',
  'gpu-memory': 'GPU memory 92 % or more in use',
  'too-large': 'too small for this camera',
  selector: 'lacks the labels',
  penalty: 'recently refused it',
  capacity: 'full',
};

/** Why a camera leaves its worker. */
export const LEAVE_REASONS: Texts = {
  'worker-removed': 'its worker was removed from the configuration',
  'worker-offline': 'its worker is offline',
  selector: 'its worker lacks the labels',
  penalty: 'its worker refused it',
  'over-capacity': 'its worker is over capacity',
  preempted: 'a camera with a higher priority takes its place',
  drain: 'its worker is being drained',
  balance: 'to balance the load',
  'not-desired': 'it is no longer desired',
};

/** Why a planned move waits. */
export const HOLDS: Texts = {
  settling: 'until the set of workers has not changed for 20 seconds',
  budget: 'for the next round: the limit of moves in this round is reached',
  'in-flight': 'until a move in progress ends',
  cooldown: 'because the camera was moved recently',
  resting: 'because rebalancing has reached its limit and pauses for 5 minutes',
  'no-room': 'because no other worker can take it',
  frozen: 'because the cluster is frozen',
};
