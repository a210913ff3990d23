export { EMPTY_VIEW } from './dashboard-view.js';
export type {
  AlertRow,
  DashboardView,
  DetectionBox,
  DetectionItem,
  EventItem,
  ModelRow,
  ProcessRow,
  RebalanceRow,
  ReceiverRow,
  Rows,
  SkippedRow,
  SourceRow,
  SubscriptionRow,
  WorkerRow,
} from './dashboard-view.js';
export {
  HISTORY_RANGES,
  historyRangeOf,
  RESOLUTIONS,
  type ClusterHistory,
  type HistoryPoint,
  type HistoryRange,
} from './history.js';
export {
  CLUSTER_COLOURS,
  CloseCode,
  DASHBOARD_PATH,
  DASHBOARD_PROTOCOL,
  SILENCE,
  TICK,
  type ClusterLabel,
  type DashboardMessage,
  type HelloMessage,
  type SnapshotMessage,
  type WelcomeMessage,
} from './messages.js';
export { namesWorker } from './names-worker.js';
export { packSubscriptions, unpackSubscriptions } from './packed-subscriptions.js';
export { applyChanges, COLLECTIONS, diffViews, type ViewChanges } from './view-diff.js';
