import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CameraPicture } from './camera-picture.js';
import { useInView } from './use-in-view.js';
import { routeHref } from '../shell/route.js';
import { reasonText } from '../subscriptions/reason-text.js';
import { StatusBadge } from '../subscriptions/status-badge.js';
import { AgeOf } from '../time/age-of.js';
import { WithCopy } from '../ui/copy-button.js';
import { Text, TextLink } from '../ui/text.js';
import { counted } from '../wording/counted.js';
import { WorkerLink } from '../overview/worker-link.js';
import './camera-card.css';
import type { CameraEntry } from './camera-list.js';
import { lastByCamera, storedLast } from './cameras.js';

/** How often a picture in view is fetched again. Milliseconds. */
const REFRESH = 5_000;

/** A camera with its latest picture and its last detection, which are fetched only while the card is in view. */
export function CameraCard({ camera }: { readonly camera: CameraEntry }) {
  const { cameraId, status, reason, workerUrl, versions, subscriptions } = camera;
  const card = useRef<HTMLLIElement>(null);
  const last = useLastDetection(cameraId, useInView(card));
  return (
    <li ref={card} class="camera panel">
      <CameraPicture
        identifier={cameraId}
        refresh={REFRESH}
        unavailable={status === 'active' ? null : reasonText(reason)}
        alt={`Latest picture of camera ${cameraId}`}
      />
      <div class="camera-facts">
        <div class="camera-name">
          <WithCopy id={cameraId}>
            <h2>
              <Text value={cameraId} />
            </h2>
          </WithCopy>
          <span title={reasonText(reason)}>
            <StatusBadge status={status} />
          </span>
        </div>
        <p>
          {last == null ? (
            <span class="muted">
              {last === null ? 'No recent detection' : 'Its last detection is not known yet'}
            </span>
          ) : (
            <>
              <strong>
                <TextLink
                  href={routeHref('detections', { text: cameraId })}
                  value={last.label ?? 'Detection'}
                  title={`Detections of camera ${cameraId}`}
                />
              </strong>{' '}
              <span class="muted">
                <AgeOf iso={last.receivedAt} /> ago
              </span>
            </>
          )}
        </p>
        {versions.length > 0 && (
          <p class="muted">
            <Text value={versions.join(', ')} />
          </p>
        )}
        <p class="muted camera-links">
          <a href={routeHref('subscriptions', { text: cameraId })}>
            {counted(subscriptions, 'subscription')}
          </a>
          <a href={routeHref('camera', { id: cameraId })}>Timeline</a>
          {workerUrl === '' ? 'No worker' : <WorkerLink url={workerUrl} />}
        </p>
      </div>
    </li>
  );
}

/**
 * The last detection in the feed, which drops it at some time, or else the last one that the service keeps. Null: there is none;
 * undefined: the service has not answered.
 */
function useLastDetection(cameraId: string, inView: boolean): DetectionItem | null | undefined {
  const ofFeed = lastByCamera.value.get(cameraId);
  const [known, setKnown] = useState<DetectionItem | null>();
  const unknown = ofFeed === undefined && known === undefined;
  useEffect(() => {
    if (ofFeed !== undefined) setKnown(ofFeed);
  }, [ofFeed]);
  useEffect(() => {
    if (!inView || !unknown) return undefined;
    const ending = new AbortController();
    // After a failure it is asked for again when the card comes into view again.
    storedLast.load(cameraId, ending.signal).then(
      (found) => ending.signal.aborted || setKnown(found),
      () => undefined,
    );
    return () => ending.abort();
  }, [inView, unknown, cameraId]);
  return ofFeed ?? known;
}

/** The name of a camera, as a link to it on the wall of cameras. */
export function CameraLink({ cameraId }: { readonly cameraId: string }) {
  return <TextLink href={routeHref('cameras', { text: cameraId })} value={cameraId} />;
}
