export { type PlacementHints, type PlacementHintsOf, checkedHints } from './model/placement-hints.js';
export { plainTextProblem } from './model/plain-text.js';
export type { SkipReason, SkippedDisplay } from './model/skipped-display.js';
export { specHash } from './model/spec-hash.js';
export {
  InvalidInputError,
  assertIdentifier,
  displayOf,
  formatSubscription,
  identifierProblem,
  parseSubscription,
} from './model/subscription-identifier.js';
export type {
  ActualCameraSubscription,
  ClusterSubscriptions,
  DesiredCameraSubscription,
  SubscriptionStatus,
} from './model/subscriptions.js';
export type { WorkerLiveness } from './model/worker-liveness.js';
export { ExplainedPlan } from './planner/explained-plan.js';
export { LEAVE_REASONS } from './planner/leave-reasons.js';
export {
  isCanary,
  offered,
  switchedTo,
  versionFor,
  watched,
  type CanaryHealth,
  type ModelRollout,
} from './planner/model-rollout.js';
export { MAX_COOLDOWN } from './planner/planner-state.js';
export { type RestingPlan, isStillBalanced } from './planner/resting-plan.js';
export { DRAIN_DEADLINE } from './planner/settle.js';
export { DEFAULT_CAPACITY } from './planner/worker-slot.js';
export {
  CONFIRMATION_DEADLINE,
  MAX_PENALTY,
  RENEW,
  RESEND_AFTER,
  UNSUBSCRIBE_RESEND,
} from './reconcile/confirmation.js';
export {
  type CameraVersion,
  hasOtherVersion,
  lessFar,
  type ModelPace,
  modelPace,
  versionStep,
} from './reconcile/model-pace.js';
export { type EndedMove, MOVE_TIMEOUT, type StreamMove } from './reconcile/moves.js';
export {
  type DesiredEntry,
  type Penalty,
  type ReportedStream,
  type TrackedSubscription,
  type WorkerAction,
  type WorkerObservation,
  pairKey,
} from './reconcile/observation.js';
export { toPlanWorker } from './reconcile/plan-input.js';
export { type PartialResult, type StreamChange, reconcileSome } from './reconcile/reconcile-some.js';
export { PartialDecisions } from './reconcile/partial-decisions.js';
export {
  type DrainForecast,
  drainForecast,
  type ReconcileInput,
  type ReconcileResult,
  type Refusal,
  explainedPlanFor,
  reconcileSteps,
} from './reconcile/reconcile.js';
export { sentLater } from './reconcile/sent-later.js';
export { type UnsentAction, withoutUnsent } from './reconcile/without-unsent.js';
export { inChunks, runToEnd } from './model/in-chunks.js';
export { sortByText } from './model/sort-in-steps.js';
