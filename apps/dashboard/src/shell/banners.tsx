import type { SourceRow } from '@detector-cluster/dashboard-protocol';
import type { ComponentChildren } from 'preact';
import { feed, feedConnection } from '../feed/feed.js';
import { pageNow } from '../time/clock.js';
import { formatTime, instantOf } from '../time/instant.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import '../ui/ui.css';
import './app.css';
import { FAILURES, NO_MASTER, SOURCE_NAMES } from './outages.js';

/** What an outage means for the operator. */
const MEANS: Readonly<Record<SourceRow['name'], string>> = {
  redis: 'Which cameras run now is not known here: workers and subscriptions are shown as they were then.',
  database: 'Changes to displays take effect when the database is back.',
  master: 'Which cameras run now is not known: workers and subscriptions are shown as they were then.',
};

const HAS: Readonly<Record<SourceRow['name'], string>> = {
  redis: 'not been readable here',
  database: 'been unavailable',
  master: 'not written the state of the cluster',
};

/** Outages that keep the page from being current. Always rendered, because screen readers do not announce a new live region. */
export function Banners() {
  const away = Object.values(feed.sources.value).filter(({ ok }) => !ok);
  return (
    <div class="banners" role="status">
      <ConnectionBanner />
      {away.map((source) => (
        <SourceBanner key={source.name} source={source} />
      ))}
    </div>
  );
}

function ConnectionBanner() {
  const connection = feed.connection.value;
  if (connection.phase === 'lost')
    return (
      <Banner tone="bad">
        <p>
          <strong>Stale since {formatTime(connection.since)}.</strong> {FAILURES[connection.failure]} What is
          shown may have changed.
        </p>
        <span class="banner-end" aria-live="off">
          <span>{attempt(connection.retryAt)}</span>
          <Button size="small" onClick={() => feedConnection.wake()}>
            Try now
          </Button>
        </span>
      </Banner>
    );
  if (connection.phase === 'outdated')
    return (
      <Banner tone="bad">
        <p>
          <strong>The service has another version than this page,</strong> and reloading did not help: the
          backend processes do not all run the same version yet.
        </p>
        <Button size="small" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Banner>
    );
  return null;
}

function SourceBanner({ source: { name, since, problem } }: { readonly source: SourceRow }) {
  const time = instantOf(since);
  const noMaster = name === 'master' && problem === NO_MASTER;
  const what = noMaster ? 'There has been no master' : `${SOURCE_NAMES[name]} has ${HAS[name]}`;
  return (
    <Banner tone="warn">
      <p>
        <strong>
          {what}
          {time !== null && ` since ${formatTime(time)}`}.
        </strong>{' '}
        {MEANS[name]}
        {noMaster && ' Nothing is planned until a process becomes master.'}
        {problem !== null && !noMaster && (
          <>
            {' '}
            <bdi>{problem}</bdi>
          </>
        )}
      </p>
    </Banner>
  );
}

function Banner({ tone, children }: { readonly tone: 'warn' | 'bad'; readonly children: ComponentChildren }) {
  return (
    <div class={`banner tone-${tone}`}>
      <Icon name="alert" />
      {children}
    </div>
  );
}

export function attempt(retryAt: number | null): string {
  if (retryAt === null) return 'Connecting…';
  const seconds = Math.max(1, Math.ceil((retryAt - pageNow.value) / 1_000));
  return `Next attempt in ${seconds} s`;
}
