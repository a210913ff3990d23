import { computed } from '@preact/signals';
import { AlertCount } from '../overview/attention-section.js';
import { feed } from '../feed/feed.js';
import { apiKey, setApiKey } from '../feed/page-memory.js';
import { openOverlay } from './overlay.js';
import { now } from '../time/clock.js';
import { formatZone } from '../time/instant.js';
import { IN_UTC, switchZone } from '../time/zone.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { classNames } from '../ui/class-names.js';
import { Text } from '../ui/text.js';
import './header.css';
import iconUrl from './icon.svg';
import { Navigation } from './navigation.js';
import { SOURCE_NAMES } from './outages.js';

const zone = computed(() => formatZone(now.value));

export function Header() {
  const cluster = feed.cluster.value;
  return (
    <header class={classNames('header', cluster?.colour != null && `header-${cluster.colour}`)}>
      <div class="header-top">
        <p class="header-name">
          <img src={iconUrl} alt="" width="24" height="24" />
          <span class="header-product">Detector cluster</span>
          {cluster !== null && (
            <span class="header-cluster">
              <Text value={cluster.name} />
            </span>
          )}
        </p>
        <div class="header-end">
          <AlertCount />
          <ConnectionState />
          <Zone />
          <span class="header-tools">
            <Button
              tone="quiet"
              size="small"
              icon="search"
              label="Go to a page, worker or camera"
              title="Ctrl+K"
              onClick={() => openOverlay()}
            >
              Go to
            </Button>
            <LockButton />
          </span>
        </div>
      </div>
      <Navigation />
    </header>
  );
}

/** The time zone of all times on the page. */
function Zone() {
  return (
    <Button
      tone="quiet"
      size="small"
      onClick={switchZone}
      label={`Times in ${zone.value}: switch to ${IN_UTC ? 'the time zone of the browser' : 'UTC'}`}
    >
      <span class="header-zone-words">Times in </span>
      {zone.value}
    </Button>
  );
}

/** One word for whether the page is current. */
export function ConnectionState() {
  switch (feed.connection.value.phase) {
    case 'live':
      if (feed.outage.value !== null)
        return (
          <Badge tone="warn" title={`${SOURCE_NAMES[feed.outage.value.name]} cannot be read`}>
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

/** Forgets the API key and the shown state. Rendered only if a key was entered. */
export function LockButton() {
  if (apiKey.value === null) return null;
  return (
    <Button tone="quiet" size="small" icon="lock" onClick={lock} label="Lock: remove the API key">
      Lock
    </Button>
  );
}

function lock(): void {
  setApiKey(null);
  window.location.reload();
}
