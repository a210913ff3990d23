export { EMPTY_VIEW } from './dashboard-view.js';
export type {
  AlertRow,
  Collection,
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
  type Resolution,
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
  type PatchMessage,
  type SnapshotMessage,
  type WelcomeMessage,
} from './messages.js';
export { namesWorker } from './names-worker.js';
export {
  packSubscriptions,
  unpackSubscriptions,
  type PackedColumn,
  type PackedSubscriptions,
} from './packed-subscriptions.js';
export { applyChanges, COLLECTIONS, diffViews, type RowChanges, type ViewChanges } from './view-diff.js';
