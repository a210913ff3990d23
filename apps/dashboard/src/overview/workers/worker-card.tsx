import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { AgeOf } from '../../format/age-of.js';
import { routeHref } from '../../shell/route.js';
import { Text } from '../../ui/text.js';
import { WorkerLink } from '../../worker/worker-link.js';
import { UsageLines } from './usage-line.js';
import './worker-card.css';
import { workerName } from './worker-name.js';
import { StandingButtons, WorkerBadges } from './worker-standing.js';

export function WorkerCard({ worker }: { readonly worker: WorkerRow }) {
  const { url, subscriptionCount, capacity } = worker;
  return (
    <article class="worker panel" aria-label={workerName(url)}>
      <header class="worker-header">
        <h3>
          <WorkerLink url={url} />
        </h3>
        <p class="worker-badges">
          <WorkerBadges worker={worker} />
        </p>
      </header>
      <UsageLines worker={worker} />
      <div class="worker-load">
        <p>
          <a href={routeHref('subscriptions', { worker: url })}>
            {subscriptionCount} {subscriptionCount === 1 ? 'subscription' : 'subscriptions'}
          </a>
          {capacity !== null && <span class="muted"> of {capacity}</span>}
        </p>
        {capacity !== null && capacity > 0 && (
          <meter
            min={0}
            max={capacity}
            high={capacity * 0.9}
            value={Math.min(subscriptionCount, capacity)}
            aria-label="Share of its capacity"
          />
        )}
      </div>
      <dl class="facts">
        <dt>Models</dt>
        <dd>{worker.models.length === 0 ? '–' : <Text value={worker.models.join(', ')} />}</dd>
        <dt>Connected</dt>
        <dd>{worker.connectedAt === null ? '–' : <AgeOf iso={worker.connectedAt} />}</dd>
      </dl>
      <footer class="worker-actions">
        <StandingButtons worker={worker} size="small" />
      </footer>
    </article>
  );
}
