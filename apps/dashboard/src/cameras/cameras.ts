import { computed } from '@preact/signals';
import { clusterApi } from '../api/cluster-api.js';
import { feed } from '../feed/feed.js';
import { camerasOf, lastDetections } from './camera-list.js';
import { StoredLast } from './stored-last.js';

/** All cameras, those with a problem first. */
export const cameras = computed(() => camerasOf(feed.subscriptions.value, feed.skipped.value));

/** Names of all models that look at a camera. */
export const models = computed(() => new Set(cameras.value.flatMap((camera) => camera.models)));

/** Camera → its newest detection that this page has. */
export const lastByCamera = computed(() => lastDetections(feed.detections.value));

/** The last detections of cameras in view, from before this page was opened. */
export const storedLast = new StoredLast({
  keeps: async () => (await clusterApi.detectionStats()).history !== null,
  find: async (camera) => (await clusterApi.storedDetections({ camera, limit: 1 })).items[0] ?? null,
});
