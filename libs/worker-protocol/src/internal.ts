export { parseJsonSafely } from './json-frame.js';
export { WorkerMessageReader } from './worker-message-reader.js';
