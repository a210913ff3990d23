import { AgeOf } from '../format/age-of.js';
import { CameraPicture } from '../pictures/camera-picture.js';
import { routeHref } from '../shell/route.js';
import { reasonText } from '../subscriptions/reason-text.js';
import { StatusBadge } from '../subscriptions/table/status-badge.js';
import { Text } from '../ui/text.js';
import { TextLink } from '../ui/text-link.js';
import { WithCopy } from '../ui/with-copy.js';
import { WorkerLink } from '../worker/worker-link.js';
import './camera-card.css';
import type { CameraEntry } from './camera-list.js';
import { lastByCamera } from './cameras.js';

/** How often a picture in view is fetched again. Milliseconds. */
const REFRESH = 5_000;

/** A camera with its latest picture, which is fetched only while the card is in view. */
export function CameraCard({ camera }: { readonly camera: CameraEntry }) {
  const last = lastByCamera.value.get(camera.cameraId) ?? null;
  const { cameraId, status, reason, workerUrl, models, subscriptions } = camera;
  return (
    <li class="camera panel">
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
          {last === null ? (
            <span class="muted">No recent detection</span>
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
        {models.length > 0 && (
          <p class="muted">
            <Text value={models.join(', ')} />
          </p>
        )}
        <p class="muted camera-links">
          <a href={routeHref('subscriptions', { text: cameraId })}>
            {subscriptions} {subscriptions === 1 ? 'subscription' : 'subscriptions'}
          </a>
          {workerUrl === '' ? 'No worker' : <WorkerLink url={workerUrl} />}
        </p>
      </div>
    </li>
  );
}
