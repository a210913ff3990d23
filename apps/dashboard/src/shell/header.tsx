import { computed } from '@preact/signals';
import { AlertCount } from '../alerts/alerts-section.js';
import { feed } from '../feed/feed.js';
import { formatZone } from '../format/instant.js';
import { openOverlay } from '../palette/overlay.js';
import { now } from '../time/clock.js';
import { Button } from '../ui/button.js';
import { classNames } from '../ui/class-names.js';
import { Text } from '../ui/text.js';
import iconUrl from './icon.svg';
import { ConnectionState } from './connection-state.js';
import './header.css';
import { LockButton } from './lock-button.js';
import { Navigation } from './navigation.js';
import { ThemeSwitch } from './theme-switch.js';

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
              title="Ctrl+K; ? shows all keys"
              onClick={() => openOverlay('palette')}
            >
              Go to
            </Button>
            <LockButton />
            <ThemeSwitch />
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
    <span class="header-zone muted">
      <span class="header-zone-words">Times in </span>
      {zone.value}
    </span>
  );
}
