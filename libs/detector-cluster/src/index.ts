export type { DetectorClusterEvents } from './cluster/cluster-events.js';
export { MasterSlaveWorkerCluster } from './cluster/master-slave-worker-cluster.js';
export { type PlanOptions, type ResignOptions, UnknownWorkerError } from './control/cluster-control.js';
export type { MoveUnderWay, PlanPreview } from './control/master-controls.js';
export { MasterRequestError, type MasterRequestProblem, NoMasterError } from './model/master-errors.js';
export {
  type ChangedSubscription,
  type ChangePlacement,
  type ChangePreview,
  type DesiredChange,
  SubscriptionNotDesiredError,
  type PlanReport,
} from './control/plan-report.js';
export { MasterChangedError, type Resignation } from './control/resignation.js';
export type { WorkerStanding, WorkerStandingResult } from './control/directive-store.js';
export { WorkerLogger } from './cluster/worker-logger.js';
export { DetectorConnection, type DetectorConnectionEvents } from './workers/detector-connection.js';
export type { DeadLetter } from './delivery/dead-letters/dead-letter.js';
export type { DeadLetterPage, DropResult, ReplayResult } from './delivery/dead-letters/dead-letters.js';
export type { DeliveryStats } from './delivery/delivery-stats.js';
export { InvalidClusterHandlerError } from './decorators/cluster-handler.orchestrator.js';
export { OnDetection, OnWorkerOffline, OnWorkerOnline } from './decorators/cluster-handler.js';
export type {
  DesiredState,
  DesiredStateSource,
  SkippedDisplay,
  SkipReason,
} from './desired/desired-state-source.js';
export { PrismaDesiredSource, type PrismaDesiredClient } from './desired/prisma-desired-source.js';
export {
  type ModelReference,
  type ModelUrlProvider,
  StaticModelUrlProvider,
} from './desired/model-url-provider.js';
export type { WorkerTls } from './workers/worker-credentials.js';
export { DetectorCluster } from './detector-cluster.js';
export { DetectorClusterModule } from './detector-cluster.module.js';
export {
  CameraImageError,
  type CameraImageProblem,
  CameraNotHostedError,
} from './images/camera-image.error.js';
export type { DetectionMoment } from './images/camera-images.js';
export type {
  ClusterFreshness,
  DetectorClusterState,
  SlaveState,
  WorkerConnectionState,
  WorkerLiveness,
} from './model/cluster-state.js';
export type {
  ActualCameraSubscription,
  ClusterSubscriptions,
  DesiredCameraSubscription,
  SubscriptionStatus,
} from './model/subscriptions.js';
export type {
  Detection,
  DetectionCallback,
  DetectionMeta,
  ImageDetectionResponse,
} from './model/detection.js';
export { ForbiddenAddressError, isLoopback, NetworkPolicy } from './options/network-policy.js';
export {
  assertIdentifier,
  formatSubscription,
  identifierProblem,
  InvalidInputError,
  parseSubscription,
  type SubscriptionParts,
} from './model/subscription-identifier.js';
export {
  type DetectorClusterOptions,
  type DetectorClusterTimings,
  type WorkerOption,
  InvalidDetectorClusterOptionsError,
} from './options/detector-cluster-options.js';
export { defaultKeyPrefix } from './options/resolve-options.js';
export type { CameraSubscription } from './desired/subscription-requests.js';
export type { AssignmentsUpdate } from './state/assignment-watch.js';
export type { PatchSessionHandler, SessionPatch, SessionPatchResult } from './sessions/session-patches.js';
export type { ChangeFeedOptions } from './trigger/change-feed/change-feed-settings.js';
export type { ChangedRows } from './desired/changed-rows.js';
export { SubscriptionTrigger, type SubscriptionTriggerOptions } from './trigger/subscription-trigger.js';
export type { ClusterEvent, OperatorAction, RecordedClusterEvent } from './model/cluster-event.js';
export type { EventPage } from './state/event-journal.js';
export type { PlacementHints, PlacementHintsOf } from './desired/placement-hints.js';
