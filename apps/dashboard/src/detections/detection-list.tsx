import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { CameraLink } from '../cameras/camera-card.js';
import { processName } from '../overview/process-text.js';
import { CameraPicture } from '../cameras/camera-picture.js';
import { routeHref } from '../shell/route.js';
import { formatInstant, formatTime, instantOf } from '../time/instant.js';
import { Badge } from '../ui/badge.js';
import { Id } from '../ui/copy-button.js';
import { Disclosure } from '../ui/disclosure.js';
import { Facts } from '../ui/facts.js';
import { Text } from '../ui/text.js';
import { WorkerLink } from '../overview/worker-link.js';
import './detections.css';

/** @param items oldest first; shown newest first */
export function DetectionList({ items }: { readonly items: readonly DetectionItem[] }) {
  return (
    <ol class="cards detection-cards" aria-label="Detections, newest first">
      {items.toReversed().map((item) => (
        <li key={`${item.detectionId} ${item.processId} ${item.receivedAt}`}>
          <DetectionCard item={item} />
        </li>
      ))}
    </ol>
  );
}

/** There are hundreds of cards, and the list renders with each message. */
function DetectionCard({ item }: { readonly item: DetectionItem }) {
  return useMemo(() => <Detection item={item} />, [item]);
}

function Detection({ item }: { readonly item: DetectionItem }) {
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
                      <bdi>{processName(item.processId)}</bdi>
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
}
