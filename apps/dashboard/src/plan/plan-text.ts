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
  penalty: 'refused it of late',
  capacity: 'full',
};

/** Why a camera leaves its worker. */
export const LEAVE_REASONS: Texts = {
  'worker-removed': 'its worker was taken out of the configuration',
  'worker-offline': 'its worker is offline',
  selector: 'its worker lacks the labels',
  penalty: 'its worker refused it',
  'over-capacity': 'its worker has more than it may',
  preempted: 'one of higher priority takes its place',
  drain: 'its worker is being drained',
  balance: 'to level the load',
  'not-desired': 'nobody wants it any more',
};

/** What a move that is wanted waits for. */
export const HOLDS: Texts = {
  settling: 'until the workers have been steady for 20 seconds',
  budget: 'for the next round: this one has begun as many moves as it may',
  'in-flight': 'until a move under way has ended',
  cooldown: 'because the camera was moved not long ago',
  resting: 'because levelling has moved its share and rests for 5 minutes',
  'no-room': 'because no other worker can take it',
  frozen: 'because the cluster is frozen',
};
