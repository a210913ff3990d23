import { feed } from '../feed/feed.js';
import { Badge } from '../ui/badge.js';

/** Whether what is shown is so now, in a word. */
export function ConnectionState() {
  switch (feed.connection.value.phase) {
    case 'live':
      return (
        <Badge tone="ok" title={`Fed by ${feed.servedBy.value}`}>
          Live
        </Badge>
      );
    case 'connecting':
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
      return <Badge tone="bad">Other version</Badge>;
  }
}
