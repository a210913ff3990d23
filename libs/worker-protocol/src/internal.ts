export { WorkerMessageReader } from './worker-message-reader.js';
export { grayJpeg } from './gray-jpeg.js';
export { parseJsonSafely } from './json-frame.js';
