import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { Badge, type Tone } from '../ui/badge.js';
import type { IconName } from '../ui/icon.js';
import { STATUS_NAMES } from './reason-text.js';

const LOOKS: Readonly<Record<SubscriptionRow['status'], { readonly tone: Tone; readonly icon: IconName }>> = {
  active: { tone: 'ok', icon: 'check' },
  pending: { tone: 'info', icon: 'clock' },
  recovering: { tone: 'warn', icon: 'alert' },
  failed: { tone: 'bad', icon: 'cross' },
};

export function StatusBadge({ status }: { readonly status: SubscriptionRow['status'] }) {
  const { tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {STATUS_NAMES[status]}
    </Badge>
  );
}
