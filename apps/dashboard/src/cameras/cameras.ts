import { computed } from '@preact/signals';
import { feed } from '../feed/feed.js';
import { camerasOf, lastDetections } from './camera-list.js';

/** All cameras, by name. */
export const cameras = computed(() => camerasOf(feed.subscriptions.value));

/** Names of all models that look at a camera. */
export const models = computed(() => new Set(cameras.value.flatMap((camera) => camera.models)));

/** Camera → its newest detection that this page has. */
export const lastByCamera = computed(() => lastDetections(feed.detections.value));
