import { textOf, type Texts } from '../wording/phrase.js';

/** The text of a subscription's reason; an unknown code is shown as it is. */
export const REASONS: Texts = {
  streaming: 'Streaming',
  unverified: 'Running, parameters unknown',
  settling: 'New master is taking over',
  'awaiting-report': 'Sent, not confirmed yet',
  'camera-offline': 'No picture from the camera',
  'loading-model': 'Its worker loads the model',
  'model-failed': 'Its worker cannot load the model',
  refused: 'Refused by its worker',
  penalty: 'Refused by every worker',
  'worker-connecting': 'Worker is connecting',
  'worker-suspect': 'No contact with its worker',
  'worker-offline': 'Worker is offline',
  'waiting-for-room': 'Waiting for capacity on its worker',
  'no-worker': 'No workers',
  'not-ready': 'Workers are not ready',
  cordoned: 'Workers are cordoned',
  draining: 'Workers are draining',
  capacity: 'Workers are full',
  memory: 'Workers are short of memory',
  'gpu-memory': 'Workers are short of GPU memory',
  'too-large': 'Camera exceeds the capacity of a worker',
  selector: 'No worker with these labels',
  'credentials-unavailable': 'Credentials unavailable',
  'model-url-unavailable': 'No URL for the model',
  'worker-list-incomplete': 'Its worker cannot be sent a list',
};

/** What the reason means and what happens next. */
export const REASON_DETAILS: Texts = {
  streaming: 'Its worker reports it with a picture.',
  unverified:
    'It was found running, but its parameters are unknown. The master subscribes it again soon, one at a time on each worker.',
  settling: 'A new master waits for the first reports of the workers, for up to 5 seconds.',
  'awaiting-report':
    'The command was sent. It is repeated after 4 and 7 seconds until the worker reports the subscription.',
  'camera-offline':
    'The worker runs it but receives no picture from the camera. The master tries again after 30 seconds, then less and less often. Check the camera’s address, its password and its limit of sessions.',
  'loading-model':
    'The worker downloads the file of the model, or loads it. Detections follow when that is done.',
  'model-failed':
    'The worker reports that it cannot load the model. The master tries another worker immediately, and this one again after a minute, then less and less often.',
  refused: 'The worker did not report it within 10 seconds. The master tries another worker immediately.',
  penalty:
    'Every worker that could take it recently refused it. The master tries again after a minute, then less and less often. The logs of the workers say why.',
  'worker-connecting': 'The master has not received a report from its worker yet.',
  'worker-suspect':
    'The connection to its worker is lost or silent, so it is not known whether it still runs there. After 15 seconds without a report, other workers take it.',
  'worker-offline': 'Its worker is offline, but nothing moves while the cluster is frozen.',
  'waiting-for-room': 'Other subscriptions have to stop on its worker first.',
  'no-worker': 'No worker is configured on the master.',
  'not-ready':
    'No worker takes it, most often because the worker is not ready. It starts when a worker with room is ready.',
  cordoned: 'No worker takes it, most often because an operator has cordoned the worker. Uncordon one.',
  draining: 'No worker takes it, most often because an operator drains the worker. Uncordon one.',
  capacity:
    'No worker takes it, most often because the worker is full. Add workers, raise their capacity, or bring back those that are unavailable.',
  memory: 'No worker takes it, most often because the worker reports 92 % of its memory or more in use.',
  'gpu-memory':
    'No worker takes it, most often because the worker reports 92 % of its GPU memory or more in use.',
  'too-large': 'The camera has more subscriptions than a worker may have.',
  selector: 'No worker has the labels that it requires.',
  'credentials-unavailable':
    'The command needs credentials that are in the database, which is unavailable, that are encrypted with another secret, or that the process that requested it has not sent yet.',
  'model-url-unavailable':
    'The URL of its model could not be created. The master retries every second; its log contains the error.',
  'worker-list-incomplete':
    'Its worker accepts only complete lists, and the parameters of another subscription on it are unknown. The log of the master names that subscription.',
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
  'requester-ended': 'The process that requested it has ended',
  duplicate: 'Duplicate of another display',
};

export const STATUS_NAMES = {
  active: 'Active',
  pending: 'Pending',
  recovering: 'Recovering',
  failed: 'Failed',
  skipped: 'Skipped',
} as const;

/** The text of a reason of a subscription, or of a skipped display. */
export function reasonText(code: string): string {
  return textOf({ ...SKIP_REASONS, ...REASONS }, code);
}
