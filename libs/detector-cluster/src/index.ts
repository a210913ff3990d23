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
export type { DetectorClusterEvents } from './operators/cluster-events.js';
export { MasterSlaveWorkerCluster } from './node/master-slave-worker-cluster.js';
export { WorkerLogger } from './operators/worker-logger.js';
export { UnknownWorkerError } from './operators/find-worker.js';
export type { WorkerStanding } from './workers/directive-store.js';
export {
  type ChangePreview,
  type ClusterCapacity,
  type PlanReport,
  SubscriptionNotDesiredError,
} from './operators/plan-report.js';
export { MasterChangedError } from './operators/resigner.js';
export { OnDetection, OnWorkerOffline, OnWorkerOnline } from './nest/cluster-handler.js';
export type { DeadLetter } from '@detector-cluster/delivery';
export type { DropResult, ReplayResult } from './operators/dead-letters.js';
export type { ChangedRows } from './sources/changed-rows.js';
export type { DatabasePosition } from './sources/database-history.js';
export type { DesiredState, DesiredStateSource } from './sources/desired-state-source.js';
export type { SkippedDisplay } from '@detector-cluster/placement/internal';
export { type ModelFile, type ModelReference, type ModelUrlProvider } from './sources/model-url-provider.js';
export { StaticModelUrlProvider } from './sources/static-model-url-provider.js';
export type { PlacementHints } from '@detector-cluster/placement/internal';
export type { CameraSubscription } from './sources/subscription-requests.js';
export { DetectorCluster } from './node/detector-cluster.js';
export { DetectorClusterModule } from './nest/detector-cluster.module.js';
export { clusterHttpError, type ClusterHttpError } from './nest/cluster-http-error.js';
export { DetectorClusterExceptionFilter } from './nest/detector-cluster-exception.filter.js';
export { CameraImageError, CameraNotHostedError } from './operators/camera-image.error.js';
export type { RecordedClusterEvent } from './shared/cluster-event.js';
export type {
  ClusterFreshness,
  ModelVersions,
  RebalanceProgress,
  DetectorClusterState,
  SlaveState,
  WorkerConnectionState,
  WorkerExcess,
} from './shared/cluster-state.js';
export type {
  Detection,
  DetectionCallback,
  DetectionMeta,
  ImageDetectionResponse,
} from '@detector-cluster/delivery';
export { MasterRequestError, NoMasterError } from './shared/master-errors.js';
export {
  formatSubscription,
  InvalidInputError,
  parseSubscription,
} from '@detector-cluster/placement/internal';
export type {
  ActualCameraSubscription,
  DesiredCameraSubscription,
} from '@detector-cluster/placement/internal';
export type { CanaryOptions } from './options/canary-options.js';
export type { RebalanceWindow } from './options/rebalance-windows.js';
export { type DetectorClusterOptions } from './options/detector-cluster-options.js';
export { InvalidDetectorClusterOptionsError } from './shared/invalid-detector-cluster-options.error.js';
export { type WorkerOption } from './workers/worker-definition.js';
export type { PatchSessionHandler, SessionPatch, SessionPatchResult } from './operators/session-patches.js';
export { SubscriptionTrigger } from './sources/subscription-trigger.js';
export { DetectorConnection } from './workers/detector-connection.js';
export type { WorkerLimits } from './workers/worker-limits.js';
