export { parseJsonSafely } from './json-frame.js';
export { subscriptionOfDetection } from './subscription-of-detection.js';
export { WorkerMessageReader } from './worker-message-reader.js';
