import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { Tone } from '../../ui/badge.js';

export const STATE_TONES: Readonly<Record<WorkerRow['state'], Tone>> = {
  Connecting: 'info',
  Ready: 'ok',
  Suspect: 'warn',
  Offline: 'bad',
  Quarantined: 'warn',
};

/** What a state means, as a tip. */
export const STATE_TEXTS: Readonly<Record<WorkerRow['state'], string>> = {
  Connecting: 'Its first report has not come yet',
  Ready: 'Connected, and reports in time',
  Suspect: 'Lost or silent: it keeps what it has and gets nothing new',
  Offline: 'Lost for good: what it had runs elsewhere',
  Quarantined: 'Lost so often of late that it gets nothing new for a while',
};

export const STANDING_TEXTS: Readonly<Record<WorkerRow['standing'], string>> = {
  open: 'Takes part',
  cordoned: 'Gets nothing new, by order of an operator',
  draining: 'What it has moves to others, by order of an operator',
};

/** Whether an operator would want to look at it. */
export function needsAttention({ state, standing }: WorkerRow): boolean {
  return state !== 'Ready' || standing !== 'open';
}
