import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import { clusterApi } from '../api/cluster-api.js';
import { feed } from '../feed/feed.js';
import type { SelectOption } from '../ui/select-field.js';
import { camerasOf, lastDetections, worstFirst } from './camera-list.js';
import { ViewLoader } from './view-loader.js';

/** All cameras, in no order: there can be very many, and they change often. */
export const cameras = computed(() => camerasOf(feed.subscriptions.value, feed.skipped.value));

/** All cameras, those with a problem first. */
export const camerasInOrder = computed(() => worstFirst(cameras.value));

/** Choices of a model that looks at a camera. */
export const modelOptions = computed(() =>
  Array.from(new Set(cameras.value.flatMap((camera) => camera.models)))
    .sort()
    .map((name): SelectOption => [name, name]),
);

/** Camera → its newest detection that this page has. */
export const lastByCamera = computed(() => lastDetections(feed.detections.value));

let keeps: Promise<boolean> | null = null;

/** Whether the service keeps detections. The answer stays; after a failure, the next call asks again. */
function keepsDetections(): Promise<boolean> {
  keeps ??= clusterApi.detectionStats().then(({ history }) => history !== null);
  keeps.catch(() => (keeps = null));
  return keeps;
}

/** The last detections of cameras in view, from before this page was opened; null: the service keeps none. */
export const storedLast = new ViewLoader(async (camera): Promise<DetectionItem | null> => {
  if (!(await keepsDetections())) return null;
  return (await clusterApi.storedDetections({ camera, limit: 1 })).items[0] ?? null;
});
