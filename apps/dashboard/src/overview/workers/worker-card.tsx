import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { askToChangeStanding, STANDING_CHANGES, type StandingChange } from '../../actions/worker-actions.js';
import { AgeOf } from '../../format/age-of.js';
import { routeHref } from '../../shell/route.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Text } from '../../ui/text.js';
import { UsageLine } from './usage-line.js';
import './worker-card.css';
import { workerName } from './worker-name.js';
import { STANDING_TEXTS, STATE_TEXTS, STATE_TONES } from './worker-tones.js';

const CHANGES = Object.keys(STANDING_CHANGES) as StandingChange[];

export function WorkerCard({ worker }: { readonly worker: WorkerRow }) {
  const { url, state, standing, subscriptionCount, capacity } = worker;
  return (
    <article class="worker panel" aria-label={workerName(url)}>
      <header class="worker-header">
        <h3 title={url}>
          <bdi class="cut">{workerName(url)}</bdi>
        </h3>
        <p class="worker-badges">
          <Badge tone={STATE_TONES[state]} title={STATE_TEXTS[state]}>
            {state}
          </Badge>
          {standing !== 'open' && (
            <Badge
              tone="warn"
              icon={standing === 'draining' ? 'drain' : 'lock'}
              title={STANDING_TEXTS[standing]}
            >
              {standing === 'draining' ? 'Draining' : 'Cordoned'}
            </Badge>
          )}
        </p>
      </header>
      <dl class="usages">
        <UsageLine name="CPU" url={url} usage="cpuUsage" value={worker.cpuUsage} />
        <UsageLine name="Memory" url={url} usage="memoryUsage" value={worker.memoryUsage} />
        <UsageLine name="GPU" url={url} usage="gpuUsage" value={worker.gpuUsage} />
        <UsageLine name="GPU memory" url={url} usage="gpuMemoryUsage" value={worker.gpuMemoryUsage} />
      </dl>
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
        {CHANGES.map((which) => (
          <StandingButton key={which} worker={worker} which={which} />
        ))}
      </footer>
    </article>
  );
}

function StandingButton({ worker, which }: { readonly worker: WorkerRow; readonly which: StandingChange }) {
  const { verb, leadsTo } = STANDING_CHANGES[which];
  const already = worker.standing === leadsTo;
  return (
    <Button
      size="small"
      disabled={already}
      title={already ? STANDING_TEXTS[leadsTo] : undefined}
      onClick={() => askToChangeStanding(worker, which)}
      label={`${verb} ${workerName(worker.url)}`}
    >
      {verb}
    </Button>
  );
}
