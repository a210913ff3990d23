import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { askToCordon, askToDrain, askToUncordon } from '../../actions/worker-actions.js';
import { feed } from '../../feed/feed.js';
import { AgeOf } from '../../format/age-of.js';
import { routeHref } from '../../shell/route.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Text } from '../../ui/text.js';
import { processName, processNames } from '../processes/process-names.js';
import { UsageLine } from './usage-line.js';
import './worker-card.css';
import { workerName } from './worker-name.js';
import { STANDING_TEXTS, STATE_TEXTS, STATE_TONES } from './worker-tones.js';

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
        <dt>Detections go to</dt>
        <dd>
          <Owner nodeId={worker.ownerId} />
        </dd>
        <dt>Connected</dt>
        <dd>{worker.connectedAt === null ? '–' : <AgeOf iso={worker.connectedAt} />}</dd>
      </dl>
      <footer class="worker-actions">
        <Button
          size="small"
          disabled={standing === 'open'}
          title={standing === 'open' ? STANDING_TEXTS.open : undefined}
          onClick={() => askToUncordon(worker)}
          label={`Uncordon ${workerName(url)}`}
        >
          Uncordon
        </Button>
        <Button
          size="small"
          disabled={standing === 'cordoned'}
          title={standing === 'cordoned' ? STANDING_TEXTS.cordoned : undefined}
          onClick={() => askToCordon(worker)}
          label={`Cordon ${workerName(url)}`}
        >
          Cordon
        </Button>
        <Button
          size="small"
          disabled={standing === 'draining'}
          title={standing === 'draining' ? STANDING_TEXTS.draining : undefined}
          onClick={() => askToDrain(worker)}
          label={`Drain ${workerName(url)}`}
        >
          Drain
        </Button>
      </footer>
    </article>
  );
}

function Owner({ nodeId }: { readonly nodeId: string | null }) {
  if (nodeId === null) return <>–</>;
  const name = processName(processNames(feed.processes.value), nodeId);
  return (
    <bdi class="cut" title={nodeId}>
      {name}
    </bdi>
  );
}
