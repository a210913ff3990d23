import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { Tone } from '../../ui/badge.js';

export const STATE_TONES: Readonly<Record<WorkerRow['state'], Tone>> = {
  Connecting: 'info',
  Ready: 'ok',
  Suspect: 'warn',
  Offline: 'bad',
  Quarantined: 'warn',
};

/** The meaning of a state, as a tooltip. */
export const STATE_TEXTS: Readonly<Record<WorkerRow['state'], string>> = {
  Connecting: 'The master has not received its first report yet',
  Ready: 'Connected and reporting on time',
  Suspect: 'Connection lost or no reports: keeps its subscriptions, gets no new ones',
  Offline: 'No reports for too long: other workers take its subscriptions if they can',
  Quarantined: 'Flapping: gets no new subscriptions for a while',
};

export const STANDING_TEXTS: Readonly<Record<WorkerRow['standing'], string>> = {
  open: 'Accepts subscriptions',
  cordoned: 'Cordoned by an operator: gets no new subscriptions',
  draining: 'Drained by an operator: its subscriptions move to other workers',
};

/** Whether an operator should look at it. */
export function needsAttention({ state, standing }: WorkerRow): boolean {
  return state !== 'Ready' || standing !== 'open';
}
