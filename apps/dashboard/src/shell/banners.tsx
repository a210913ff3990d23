import type { SourceRow } from '@detector-cluster/dashboard-protocol';
import type { ComponentChildren } from 'preact';
import { feed, feedConnection } from '../feed/feed.js';
import { formatTime, instantOf } from '../format/instant.js';
import { pageNow } from '../time/clock.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import '../ui/tones.css';
import './banners.css';

const SOURCES: Readonly<Record<SourceRow['name'], { readonly name: string; readonly means: string }>> = {
  redis: { name: 'Redis', means: 'What is shown of workers and subscriptions is as it was then.' },
  database: { name: 'The database', means: 'What runs goes on; changes to displays wait.' },
  master: { name: 'The master', means: 'Cameras run on; nothing is planned until another process leads.' },
};

/** What keeps the page from showing what is so now. Rendered always: a region that comes with its text is not read out. */
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
          <strong>Stale since {formatTime(connection.since)}.</strong> The service does not answer; what is
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
          <strong>The service is of another version than this page,</strong> and loading it again has not
          helped: not all backend processes are of the same version yet.
        </p>
        <Button size="small" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </Banner>
    );
  return null;
}

function SourceBanner({ source: { name, since, problem } }: { readonly source: SourceRow }) {
  const { name: shownName, means } = SOURCES[name] ?? { name, means: '' };
  const time = instantOf(since);
  return (
    <Banner tone="warn">
      <p>
        <strong>
          {shownName} is away{time !== null && ` since ${formatTime(time)}`}.
        </strong>{' '}
        {means}
        {problem !== null && (
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

function attempt(retryAt: number | null): string {
  if (retryAt === null) return 'Trying…';
  const seconds = Math.max(1, Math.ceil((retryAt - pageNow.value) / 1_000));
  return `Next attempt in ${seconds} s`;
}
