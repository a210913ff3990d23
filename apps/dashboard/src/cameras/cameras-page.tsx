import { computed } from '@preact/signals';
import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { useState } from 'preact/hooks';
import { feed } from '../feed/feed.js';
import { AgeOf } from '../format/age-of.js';
import { workerName } from '../overview/workers/worker-name.js';
import { CameraPicture } from '../pictures/camera-picture.js';
import { routeHref } from '../shell/route.js';
import { replaceParameters, route } from '../shell/router.js';
import { reasonText, STATUS_NAMES } from '../subscriptions/reason-text.js';
import { StatusBadge } from '../subscriptions/table/status-badge.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import '../ui/filter-bar.css';
import { SearchField } from '../ui/search-field.js';
import { Text } from '../ui/text.js';
import { camerasOf, filterCameras, lastDetections, type CameraEntry } from './camera-list.js';
import './cameras-page.css';

/** How many more cameras each click shows. */
const STEP = 60;

/** How often a picture in view is fetched again. Milliseconds. */
const REFRESH = 5_000;

const cameras = computed(() => camerasOf(feed.subscriptions.value));
const lastByCamera = computed(() => lastDetections(feed.detections.value));

/** A wall of all cameras with their latest pictures. */
export function CamerasPage() {
  const { page, parameters } = route.value;
  const { text = '', status = '', worker = '' } = parameters;
  const show = (part: Readonly<Record<string, string>>) =>
    replaceParameters(page, { text, status, worker, ...part });
  const [most, setMost] = useState(STEP);
  const found = filterCameras(cameras.value, { text, status, worker });
  const shown = found.slice(0, most);
  return (
    <div class="page">
      <div class="page-header">
        <h1>Cameras</h1>
        <p class="muted">{found.length.toLocaleString('en-GB')} shown</p>
      </div>
      <div class="filter-bar" role="search" aria-label="Filter cameras">
        <SearchField
          label="Text in the name of a camera"
          placeholder="Camera"
          value={text}
          onChange={(changed) => show({ text: changed })}
        />
        <select
          aria-label="Status"
          value={status}
          onChange={({ currentTarget }) => show({ status: currentTarget.value })}
        >
          <option value="">All statuses</option>
          {Object.entries(STATUS_NAMES).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <select
          aria-label="Worker"
          value={worker}
          onChange={({ currentTarget }) => show({ worker: currentTarget.value })}
        >
          <option value="">All workers</option>
          {workersOf(worker).map((url) => (
            <option key={url} value={url}>
              {workerName(url)}
            </option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <div class="panel">
          <EmptyState title={cameras.value.length === 0 ? 'No cameras' : 'No camera matches the filter'}>
            Cameras appear here when a display or the application subscribes to them.
          </EmptyState>
        </div>
      ) : (
        <ul class="cameras" aria-label="Cameras">
          {shown.map((camera) => (
            <Camera
              key={camera.cameraId}
              camera={camera}
              last={lastByCamera.value.get(camera.cameraId) ?? null}
            />
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <div class="actions">
          <Button onClick={() => setMost(most + STEP)}>Show more cameras</Button>
        </div>
      )}
    </div>
  );
}

interface CameraProps {
  readonly camera: CameraEntry;
  readonly last: DetectionItem | null;
}

function Camera({ camera, last }: CameraProps) {
  const { cameraId, status, reason, workerUrl, subscriptions } = camera;
  return (
    <li class="camera panel">
      <CameraPicture
        identifier={cameraId}
        refresh={REFRESH}
        unavailable={status === 'active' ? null : reasonText(reason)}
        alt={`Latest picture of camera ${cameraId}`}
      />
      <div class="camera-facts">
        <h2 class="camera-name">
          <Text value={cameraId} />
          <span title={reasonText(reason)}>
            <StatusBadge status={status} />
          </span>
        </h2>
        <p>
          {last === null ? (
            <span class="muted">No recent detection</span>
          ) : (
            <>
              <strong>{last.label === null ? 'Detection' : <Text value={last.label} />}</strong>{' '}
              <span class="muted">
                <AgeOf iso={last.receivedAt} /> ago
              </span>
            </>
          )}
        </p>
        <p class="muted camera-links">
          <a href={routeHref('subscriptions', { text: cameraId })}>
            {subscriptions} {subscriptions === 1 ? 'subscription' : 'subscriptions'}
          </a>
          {workerUrl === '' ? 'No worker' : <Text value={workerName(workerUrl)} />}
        </p>
      </div>
    </li>
  );
}

/** All workers, always including the selected one. */
function workersOf(selected: string): readonly string[] {
  const urls = new Set(Object.keys(feed.workers.value));
  if (selected !== '') urls.add(selected);
  return Array.from(urls).sort();
}
