import { feed } from '../feed/feed.js';
import { Badge } from '../ui/badge.js';
import { SOURCE_NAMES } from './outages.js';

/** One word for whether the page is current. */
export function ConnectionState() {
  switch (feed.connection.value.phase) {
    case 'live':
      if (feed.outage.value !== null)
        return (
          <Badge tone="warn" title={`${SOURCE_NAMES[feed.outage.value.name]} is unavailable`}>
            Stale
          </Badge>
        );
      return (
        <Badge tone="ok" title={`Served by ${feed.servedBy.value}`}>
          Live
        </Badge>
      );
    case 'connecting':
      if (feed.connection.value.failure !== null) return <Badge tone="bad">Not connected</Badge>;
      return (
        <Badge tone="muted" icon="clock">
          Connecting
        </Badge>
      );
    case 'lost':
      return <Badge tone="bad">Stale</Badge>;
    case 'locked':
      return (
        <Badge tone="warn" icon="lock">
          Locked
        </Badge>
      );
    case 'outdated':
      return <Badge tone="bad">Different version</Badge>;
  }
}
