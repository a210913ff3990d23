export { AcceptanceMonitor, type Acceptance } from './acceptance-monitor.js';
export * from './api.js';
export {
  BACKEND_SCRIPT,
  endsOfLogs,
  startApp,
  WORKER_SCRIPT,
  type AppProcess,
  type AppProcessOptions,
} from './app-process.js';
export { ownerRecord, partitionStreamPrefix } from './delivery-wire.js';
export { DetectionTally } from './detection-tally.js';
export { LocalCluster, type LocalClusterOptions } from './local-cluster.js';
export { lostDetections } from './detection-tally.js';
export {
  findPythonSample,
  type PythonPrograms,
  type PythonSampleResult,
} from './python/find-python-sample.js';
export { startPythonWorker } from './python/find-python-sample.js';
export { startRtspCamera, type RtspCamera } from './python/start-rtsp-camera.js';
export { SeededRandom } from './seeded-random.js';
export { waitFor } from '@detector-cluster/dev-services';
