import { Badge, type Tone } from '../ui/badge.js';
import type { IconName } from '../ui/icon.js';
import { STATUS_NAMES } from './reason-text.js';

/** Of a subscription, or of a display that has none. */
export type ShownStatus = keyof typeof STATUS_NAMES;

/** As colours of a part of a drawing. */
export const statusTone = (status: ShownStatus): Tone => LOOKS[status].tone;

const LOOKS: Readonly<Record<ShownStatus, { readonly tone: Tone; readonly icon: IconName }>> = {
  active: { tone: 'ok', icon: 'check' },
  pending: { tone: 'info', icon: 'clock' },
  recovering: { tone: 'warn', icon: 'alert' },
  failed: { tone: 'bad', icon: 'cross' },
  skipped: { tone: 'warn', icon: 'minus' },
};

export function StatusBadge({ status }: { readonly status: ShownStatus }) {
  const { tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {STATUS_NAMES[status]}
    </Badge>
  );
}
