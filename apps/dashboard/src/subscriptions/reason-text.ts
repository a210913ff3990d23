import { textOf, type Texts } from '../wording/texts.js';

/** What is said of a subscription's reason; codes that are not known here are shown as they are. */
export const REASONS: Texts = {
  streaming: 'Streaming',
  unverified: 'Running, parameters unknown',
  settling: 'New master is taking over',
  'awaiting-report': 'Sent, not yet confirmed',
  'camera-offline': 'Camera gives no picture',
  refused: 'Refused by its worker',
  penalty: 'Refused by every worker',
  'worker-connecting': 'Worker is connecting',
  'worker-suspect': 'Worker is silent',
  'worker-offline': 'Worker is offline',
  'waiting-for-room': 'Waits for room on its worker',
  'no-worker': 'There is no worker',
  'not-ready': 'Workers are not ready',
  cordoned: 'Workers are cordoned',
  draining: 'Workers are draining',
  capacity: 'Workers are full',
  memory: 'Workers are short of memory',
  'gpu-memory': 'Workers are short of GPU memory',
  'too-large': 'Camera needs more than a worker has',
  selector: 'No worker has the labels',
  'credentials-unavailable': 'Credentials cannot be read',
  'model-url-unavailable': 'No URL for the model',
  'worker-list-incomplete': 'Its worker cannot be sent a list',
};

/** What it means and what becomes of it. */
export const REASON_DETAILS: Texts = {
  streaming: 'Its worker reports it with a picture.',
  unverified:
    'It was found running, but nobody remembers with which parameters. It is subscribed anew soon, one at a time on each worker.',
  settling: 'A new master waits for the first reports of the workers, for up to 5 seconds.',
  'awaiting-report':
    'The command has been sent and is repeated after 4 and 7 seconds, until the worker reports it.',
  'camera-offline':
    'The worker has it and gets no picture: it is the camera, not the worker. It is tried again after 30 seconds, then ever more seldom. Check its address, password and how many sessions it allows.',
  refused: 'The worker did not report it within 10 seconds. Another worker is tried at once.',
  penalty:
    'Every worker that could take it has refused it of late. It is tried again after a minute, then ever more seldom. The logs of the workers say why.',
  'worker-connecting': 'This master has not heard its worker yet.',
  'worker-suspect': 'The connection to its worker is lost or silent. It may well go on running there.',
  'worker-offline': 'Its worker has been away for long, but nothing is moved while the cluster is frozen.',
  'waiting-for-room': 'It has a worker, on which others have to stop first.',
  'no-worker': 'No worker is configured on the master.',
  'not-ready': 'Most workers are not ready.',
  cordoned: 'Most workers get nothing new, by an operator’s wish. Uncordon one.',
  draining: 'Most workers are being emptied, by an operator’s wish. Uncordon one.',
  capacity: 'Most workers are full. Add workers, or raise their capacity.',
  memory: 'Most workers report 92 % of their memory or more in use.',
  'gpu-memory': 'Most workers report 92 % of their GPU memory or more in use.',
  'too-large': 'The camera has more subscriptions than a worker may have.',
  selector: 'No worker carries the labels that it asks for.',
  'credentials-unavailable':
    'It has to be sent, but its credentials are in the database, which is away, or encrypted with another secret.',
  'model-url-unavailable':
    'The URL of its model could not be made. It is tried every second; the log of the master has the error.',
  'worker-list-incomplete':
    'Its worker takes whole lists only, and the parameters of another subscription on it are not known. The log of the master names that one.',
};

/** Why a display yields no subscription. */
export const SKIP_REASONS: Texts = {
  'malformed-row': 'Row cannot be read',
  'invalid-display-id': 'Identifier of the display is not usable',
  'no-camera': 'Display has no camera',
  'invalid-camera-id': 'Identifier of the camera is not usable',
  'invalid-rtsp-url': 'RTSP URL is not usable',
  'invalid-snapshot': 'Snapshot settings are not usable',
  'no-playlist': 'Display has no playlist',
  'playlist-without-model': 'Playlist has no model',
  'invalid-model': 'Model is not usable',
  'invalid-crop': 'Crop is not usable',
  'forbidden-address': 'Camera is not in an allowed network',
  duplicate: 'Another display yields the same',
};

export const STATUS_NAMES = {
  active: 'Active',
  pending: 'Pending',
  recovering: 'Recovering',
  failed: 'Failed',
} as const;

export function reasonText(code: string): string {
  return textOf(REASONS, code);
}
