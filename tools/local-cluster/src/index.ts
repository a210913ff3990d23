export { AcceptanceMonitor, type Acceptance } from './acceptance-monitor.js';
export * from './api.js';
export { startApp, type AppProcess, type AppProcessOptions } from './app-process.js';
export { ownerRecord, partitionStreamPrefix } from './delivery-wire.js';
export { DetectionTally } from './detection-tally.js';
export { endsOfLogs } from './ends-of-logs.js';
export { LoadBalancer } from './load-balancer.js';
export { LocalCluster, type LocalClusterOptions } from './local-cluster.js';
export { lostDetections } from './lost-detections.js';
export {
  findPythonSample,
  type PythonPrograms,
  type PythonSampleResult,
} from './python/find-python-sample.js';
export { startPythonWorker } from './python/start-python-worker.js';
export { startRtspCamera, type RtspCamera } from './python/start-rtsp-camera.js';
export { SeededRandom } from './seeded-random.js';
export { waitFor } from './wait-for.js';
