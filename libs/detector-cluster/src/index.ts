/**
 * The Nest module, `DetectorCluster`, the decorators, and the errors that an application handles.
 *
 * @example
 * ```ts
 * import { DetectorClusterModule } from '@detector-cluster/detector-cluster';
 * import { MasterElectionModule } from '@detector-cluster/master-election';
 * import { Module } from '@nestjs/common';
 *
 * const redis = 'redis://localhost:6379';
 *
 * @Module({
 *   imports: [
 *     MasterElectionModule.forRoot({ redis, isGlobal: true }),
 *     DetectorClusterModule.forRoot({ redis, workers: ['ws://worker1:8000'] }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
export type { DetectorClusterEvents } from './cluster/cluster-events.js';
export { MasterSlaveWorkerCluster } from './cluster/master-slave-worker-cluster.js';
export { WorkerLogger } from './cluster/worker-logger.js';
export { UnknownWorkerError } from './control/cluster-control.js';
export type { WorkerStanding } from './control/directive-store.js';
export { type ChangePreview, type PlanReport, SubscriptionNotDesiredError } from './control/plan-report.js';
export { MasterChangedError } from './control/resignation.js';
export { OnDetection, OnWorkerOffline, OnWorkerOnline } from './decorators/cluster-handler.js';
export type { DeadLetter } from '@detector-cluster/delivery';
export type { DropResult, ReplayResult } from './control/dead-letters.js';
export type { ChangedRows } from './desired/changed-rows.js';
export type { DesiredState, DesiredStateSource } from './desired/desired-state-source.js';
export type { SkippedDisplay } from '@detector-cluster/placement/internal';
export {
  type ModelReference,
  type ModelUrlProvider,
  StaticModelUrlProvider,
} from './desired/model-url-provider.js';
export type { PlacementHints } from '@detector-cluster/placement/internal';
export type { CameraSubscription } from './desired/subscription-requests.js';
export { DetectorCluster } from './detector-cluster.js';
export { DetectorClusterModule } from './detector-cluster.module.js';
export { clusterHttpError, type ClusterHttpError } from './http/cluster-http-error.js';
export { DetectorClusterExceptionFilter } from './http/detector-cluster-exception.filter.js';
export { CameraImageError, CameraNotHostedError } from './images/camera-image.error.js';
export type { RecordedClusterEvent } from './model/cluster-event.js';
export type {
  ClusterFreshness,
  RebalanceProgress,
  DetectorClusterState,
  SlaveState,
  WorkerConnectionState,
  WorkerExcess,
} from './model/cluster-state.js';
export type {
  Detection,
  DetectionCallback,
  DetectionMeta,
  ImageDetectionResponse,
} from '@detector-cluster/delivery';
export { MasterRequestError, NoMasterError } from './model/master-errors.js';
export {
  formatSubscription,
  InvalidInputError,
  parseSubscription,
} from '@detector-cluster/placement/internal';
export type {
  ActualCameraSubscription,
  DesiredCameraSubscription,
} from '@detector-cluster/placement/internal';
export { type DetectorClusterOptions } from './options/detector-cluster-options.js';
export { InvalidDetectorClusterOptionsError } from './options/invalid-detector-cluster-options.error.js';
export { type WorkerOption } from './options/worker-definition.js';
export type { PatchSessionHandler, SessionPatch, SessionPatchResult } from './sessions/session-patches.js';
export { SubscriptionTrigger } from './trigger/subscription-trigger.js';
export { DetectorConnection } from './workers/detector-connection.js';
export type { WorkerLimits } from './workers/worker-limits.js';
