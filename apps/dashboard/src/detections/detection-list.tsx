import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { CameraLink } from '../cameras/camera-card.js';
import { processName } from '../overview/process-text.js';
import { CameraPicture } from '../cameras/camera-picture.js';
import { routeHref } from '../shell/route.js';
import { formatInstant, formatTime, instantOf } from '../time/instant.js';
import { Badge } from '../ui/badge.js';
import { Id } from '../ui/copy-button.js';
import { Disclosure } from '../ui/disclosure.js';
import { Facts } from '../ui/facts.js';
import { memo } from '../ui/memo.js';
import { Text } from '../ui/text.js';
import { WorkerLink } from '../overview/worker-link.js';
import './detections.css';

export interface DetectionListProps {
  /** Oldest first; shown newest first. */
  readonly items: readonly DetectionItem[];
  /** Names of the processes. */
  readonly names: ReadonlyMap<string, string>;
}

export function DetectionList({ items, names }: DetectionListProps) {
  return (
    <ol class="cards detection-cards" aria-label="Detections, newest first">
      {items.toReversed().map((item) => (
        <li key={`${item.detectionId} ${item.processId} ${item.receivedAt}`}>
          <DetectionCard item={item} process={processName(names, item.processId)} />
        </li>
      ))}
    </ol>
  );
}

interface DetectionProps {
  readonly item: DetectionItem;
  readonly process: string;
}

const DetectionCard = memo(({ item, process }: DetectionProps) => {
  const { subscriptionIdentifier, workerUrl, redelivered, summary, detectionId, label, confidence } = item;
  const received = instantOf(item.receivedAt);
  const at = instantOf(item.detectedAt) ?? received;
  const camera = subscriptionIdentifier.split(';').at(-1)!;
  return (
    <div class="detection-card panel">
      <CameraPicture
        identifier={subscriptionIdentifier}
        moment={item}
        boxes={item.boxes}
        alt={`Camera ${camera}`}
      />
      <div class="detection-facts">
        <p class="detection-label">
          {label === null ? <span class="muted">No label</span> : <Text value={label} />}
          {confidence !== null && (
            <span class="detection-confidence" title="Confidence">
              {Math.round(confidence * 100)} %
            </span>
          )}
        </p>
        <p class="muted detection-where">
          {at === null ? '–' : <time title={formatInstant(at)}>{formatTime(at)}</time>}
          <span class="detection-subscription">
            <CameraLink cameraId={camera} />
          </span>
          {redelivered && (
            <Badge tone="warn" icon="refresh">
              Redelivered
            </Badge>
          )}
        </p>
        <Disclosure summary="Details">
          {() => (
            <>
              <Facts
                of={{
                  Detection: <Id text={detectionId} what="the id of the detection" />,
                  Subscription: <Text value={subscriptionIdentifier} />,
                  'Delivered to': (
                    <>
                      <bdi>{process}</bdi>
                      {received !== null && `, ${formatInstant(received)}`}
                      {redelivered && '; it may have been delivered before'}
                    </>
                  ),
                  Worker: <WorkerLink url={workerUrl} />,
                }}
              />
              <Disclosure summary="JSON of the worker">
                {() => (
                  <pre class="mono" dir="auto" tabIndex={0}>
                    {summary}
                  </pre>
                )}
              </Disclosure>
              <div class="actions">
                <a href={routeHref('detections', { text: subscriptionIdentifier })}>Only this subscription</a>
                <a href={routeHref('subscriptions', { explain: subscriptionIdentifier })}>
                  Explain the subscription
                </a>
              </div>
            </>
          )}
        </Disclosure>
      </div>
    </div>
  );
});
