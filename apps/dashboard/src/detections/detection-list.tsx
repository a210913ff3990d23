import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { formatInstant, formatTime, instantOf } from '../format/instant.js';
import { processName } from '../overview/processes/process-names.js';
import { workerName } from '../overview/workers/worker-name.js';
import { routeHref } from '../shell/route.js';
import { Badge } from '../ui/badge.js';
import { Disclosure } from '../ui/disclosure.js';
import { memo } from '../ui/memo.js';
import { Text } from '../ui/text.js';
import './detection-list.css';

export interface DetectionListProps {
  /** Oldest first; shown the other way round. */
  readonly items: readonly DetectionItem[];
  /** Names of the processes. */
  readonly names: ReadonlyMap<string, string>;
}

export function DetectionList({ items, names }: DetectionListProps) {
  return (
    <ol class="panel detection-list" aria-label="Detections, newest first">
      {items.toReversed().map((item) => (
        <li key={`${item.detectionId} ${item.nodeId} ${item.receivedAt}`}>
          <Detection item={item} process={processName(names, item.nodeId)} />
        </li>
      ))}
    </ol>
  );
}

interface DetectionProps {
  readonly item: DetectionItem;
  readonly process: string;
}

const Detection = memo(({ item, process }: DetectionProps) => {
  const { subscriptionIdentifier, workerUrl, receivedAt, redelivered, summary, detectionId } = item;
  const at = instantOf(receivedAt);
  return (
    <Disclosure
      summary={
        <>
          <span class="muted">{at === null ? '–' : formatTime(at)}</span>
          <span class="detection-subscription">
            <Text value={subscriptionIdentifier} />
          </span>
          <span class="muted detection-worker">
            <Text value={workerName(workerUrl)} />
          </span>
          <span class="detection-summary">
            <Text value={summary} mono />
          </span>
          <span class="detection-mark">
            {redelivered && (
              <Badge tone="warn" icon="refresh">
                Redelivered
              </Badge>
            )}
          </span>
        </>
      }
    >
      {() => (
        <>
          <pre class="mono" dir="auto">
            {summary}
          </pre>
          <dl>
            <dt>Detection</dt>
            <dd class="mono">{detectionId}</dd>
            <dt>Delivered to</dt>
            <dd>
              <bdi>{process}</bdi>
              {at !== null && `, ${formatInstant(at)}`}
              {redelivered && '; it may have been delivered before'}
            </dd>
            <dt>Worker</dt>
            <dd dir="auto">{workerUrl}</dd>
          </dl>
          <div class="actions">
            <a href={routeHref('detections', { subscription: subscriptionIdentifier })}>
              Only this subscription
            </a>
            <a href={routeHref('subscriptions', { explain: subscriptionIdentifier })}>
              Explain the subscription
            </a>
          </div>
        </>
      )}
    </Disclosure>
  );
});
