/** The mutable state of the cluster. Each collection is keyed, so that only differences have to be sent. */
export interface DashboardView {
  /** By URL. */
  readonly workers: Rows<WorkerRow>;
  /** By `processId`. */
  readonly processes: Rows<ProcessRow>;
  /** By subscription identifier; null: the service has not read them yet. */
  readonly subscriptions: Rows<SubscriptionRow> | null;
  /** Displays that yield no subscription, by `displayId`. */
  readonly skipped: Rows<SkippedRow>;
  /** The versions of models, by id and name; empty: none is known. */
  readonly models: Rows<ModelRow>;
  /** The last rebalance that was requested, by `since`; empty: none was. */
  readonly rebalances: Rows<RebalanceRow>;
  /** By name. */
  readonly alerts: Rows<AlertRow>;
  /** Where the master sends alerts, by name. */
  readonly receivers: Rows<ReceiverRow>;
  /** The dependencies of this view. */
  readonly sources: Rows<SourceRow>;
}

/** Before anything is known. */
export const EMPTY_VIEW: DashboardView = {
  workers: {},
  processes: {},
  subscriptions: null,
  skipped: {},
  models: {},
  rebalances: {},
  alerts: {},
  receivers: {},
  sources: {},
};

export type Rows<T> = Readonly<Record<string, T>>;

export type Collection = keyof DashboardView;

export interface WorkerRow {
  /** Without credentials. */
  readonly url: string;
  /** What its operator calls it; left out: it has no name. */
  readonly name?: string;
  readonly online: boolean;
  readonly state: 'Connecting' | 'Ready' | 'Suspect' | 'Offline' | 'Quarantined';
  /** Set by operators. */
  readonly standing: 'open' | 'cordoned' | 'draining';
  /** Why it is not ready, gets no new subscriptions because it sends too much, or cannot be drained. */
  readonly problem: string | null;
  /** What it has sent beyond its budget; null: nothing. */
  readonly excess: { readonly pauses: number; readonly dropped: number; readonly oversized: number } | null;
  /** Highest number of subscriptions since its drain began; `subscriptionCount` are left. Null: it is not being drained. */
  readonly drainTotal: number | null;
  /** Whole percent; null if the worker does not report it, or does not report at all. */
  readonly cpuUsage: number | null;
  readonly memoryUsage: number | null;
  readonly gpuUsage: number | null;
  readonly gpuMemoryUsage: number | null;
  /** Capacity in subscriptions; null if this process does not know it. */
  readonly capacity: number | null;
  readonly subscriptionCount: number;
  /** The models it runs, with the versions of their files, sorted. */
  readonly models: readonly string[];
  /** When the master connected to it, ISO 8601; null: not connected. */
  readonly connectedAt: string | null;
}

export interface ProcessRow {
  readonly processId: string;
  /** Name for people. */
  readonly identifier: string;
  readonly role: 'master' | 'follower';
  /** A suspended master still leads, but must not act until its lease is confirmed again. */
  readonly mayAct: boolean;
  readonly term: number;
  /** On the master: time since it sent the last confirmation of its lease. Milliseconds. */
  readonly leaseAgeMs: number | null;
  /** Detections that reached its callbacks, per second and since its start. */
  readonly detectionsPerSecond: number;
  readonly delivered: number;
  readonly redelivered: number;
  /** Detections that it lost as master since its start. */
  readonly dropped: number;
  /** Age of the last detections on arrival, by the clocks of worker and process. Milliseconds; null: no recent detections. */
  readonly lagMs: number | null;
  /** Partitions that it owns, in ascending order. Their detections reach its global callbacks. */
  readonly partitions: readonly number[];
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface SubscriptionRow {
  /** `<displayId>;<cameraId>` */
  readonly subscriptionIdentifier: string;
  /** Empty while no worker is assigned. */
  readonly workerUrl: string;
  /** Name of the model; null: unknown. */
  readonly model: string | null;
  /** Of its model's file, as the master wants it; null: unknown. */
  readonly version: string | null;
  readonly status: 'active' | 'pending' | 'failed' | 'recovering';
  readonly reason: string;
  /** More about the reason, in the words of the worker; empty: nothing. */
  readonly detail: string;
  /** ISO 8601: when the status began. */
  readonly since: string;
}

export interface SkippedRow {
  readonly displayId: string;
  /** Left out: the display has none, or one whose identifier is not usable. */
  readonly cameraId?: string;
  readonly reason: string;
  readonly detail: string;
}

/** The versions of a model's file. */
export interface ModelRow {
  readonly modelId: number;
  readonly modelName: string;
  /** What all cameras run that do not run the candidate. */
  readonly current: string;
  /** What the current version has replaced; null: none is known. */
  readonly former: string | null;
  /** What the store gives, if that is not the current version. */
  readonly candidate: string | null;
  /** Percent of the cameras that run the candidate; 0: it was rolled back. */
  readonly share: number;
  /** ISO 8601: when this last changed. */
  readonly since: string;
  /** ISO 8601: since when the candidate runs without a failure; null: it does not. */
  readonly quietSince: string | null;
}

/** How far a rebalance has come. */
export interface RebalanceRow {
  /** Who has requested it; null: unknown. */
  readonly by: string | null;
  /** ISO 8601. */
  readonly since: string;
  /** Cameras that it has moved. */
  readonly moved: number;
  /** Moves under way and planned next; further ones may follow. */
  readonly left: number;
  /** ISO 8601; null: it is not over. */
  readonly endedAt: string | null;
}

/** A dependency that can be unavailable while the page stays open. */
export interface SourceRow {
  readonly name: 'redis' | 'database' | 'master';
  readonly ok: boolean;
  /** ISO 8601: since when. */
  readonly since: string;
  /** The problem, as a text for people; null: none. */
  readonly problem: string | null;
}

/** A rule for Prometheus whose condition holds. */
export interface AlertRow {
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** A sentence for people. */
  readonly summary: string;
  /** The worker that it is about; null: several, or none. */
  readonly workerUrl: string | null;
  /** ISO 8601: when the condition began to hold. */
  readonly since: string;
  /** ISO 8601: the alert fires from then on; before, it is pending. */
  readonly firesAt: string;
}

export interface ReceiverRow {
  readonly name: 'alertmanager' | 'webhook';
  /** The last success, ISO 8601; null: none yet. */
  readonly sentAt: string | null;
  /** The last failure, ISO 8601, and its reason; null: a success followed, or none has failed. */
  readonly failedAt: string | null;
  readonly problem: string | null;
  /** Notices that it has not taken yet, and those that were dropped because too many waited. */
  readonly waiting: number;
  readonly dropped: number;
}

/** An event that a master recorded. Its further fields depend on the type; all of them are text of unknown origin. */
export interface EventItem {
  readonly eventId: string;
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly term: number;
  readonly [detail: string]: unknown;
}

export type DetectionBox = readonly [left: number, top: number, width: number, height: number];

/** A detection that reached a callback. */
export interface DetectionItem {
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** The process of that callback. */
  readonly processId: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly redelivered: boolean;
  /** When the worker made it, ISO 8601. */
  readonly detectedAt: string;
  /** Plate or label, for people; null: none. */
  readonly label: string | null;
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** Place in the picture, as fractions of its width and height: left, top, width, height. */
  readonly boxes: readonly DetectionBox[];
  /** Name of the picture of that moment at the worker; null: the worker offers none. */
  readonly pictureId: string | null;
  /** Whether the service keeps that picture; left out: not known. */
  readonly hasPicture?: boolean;
  /** The worker's report as JSON text, cut to 500 characters. */
  readonly summary: string;
}
