export { AcceptanceMonitor } from './acceptance-monitor.js';
export * from './api.js';
export { BACKEND_SCRIPT, endsOfLogs, startApp, WORKER_SCRIPT, type AppProcess } from './app-process.js';
export { ownerRecord, partitionStreamPrefix } from './delivery-wire.js';
export { DetectionTally, lostDetections } from './detection-tally.js';
export { ListeningPage } from './listening-page.js';
export { LocalCluster, type LocalClusterOptions } from './local-cluster.js';
export { startModelStore, type ModelStore } from './model-store.js';
export {
  findPeopleSample,
  findPythonSample,
  peopleModel,
  startPeopleCamera,
  startPeopleWorker,
  startPythonWorker,
  startRtspCamera,
  type PythonPrograms,
  type RtspCamera,
} from './python-sample.js';
export { SeededRandom } from './seeded-random.js';
export { answerWithin, waitFor } from '@detector-cluster/dev-services';
