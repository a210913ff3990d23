export { AcceptanceMonitor } from './acceptance-monitor.js';
export * from './api.js';
export { startApp, type AppProcess, type AppProcessOptions } from './app-process.js';
export { DetectionTally } from './detection-tally.js';
export { LocalCluster, type LocalClusterOptions } from './local-cluster.js';
export { lostDetections } from './lost-detections.js';
export { SeededRandom } from './seeded-random.js';
export { waitFor } from './wait-for.js';
