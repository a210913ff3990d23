/** Everything of the cluster that changes in place; each collection by key, so that only differences need to be sent. */
export interface DashboardView {
  /** By URL. */
  readonly workers: Rows<WorkerRow>;
  /** By `nodeId`. */
  readonly processes: Rows<ProcessRow>;
  /** By subscription identifier. */
  readonly subscriptions: Rows<SubscriptionRow>;
  /** Displays that yield no subscription, by `displayId`. */
  readonly skipped: Rows<SkippedRow>;
  /** What the picture rests on. */
  readonly sources: Rows<SourceRow>;
}

export type Rows<T> = Readonly<Record<string, T>>;

export type Collection = keyof DashboardView;

export interface WorkerRow {
  /** Without credentials. */
  readonly url: string;
  readonly online: boolean;
  readonly state: 'Connecting' | 'Ready' | 'Suspect' | 'Offline' | 'Quarantined';
  /** Set by operators. */
  readonly standing: 'open' | 'cordoned' | 'draining';
  /** Most subscriptions since its drain began; `subscriptionCount` of them are left. Null: it is not being drained. */
  readonly drainTotal: number | null;
  /** Percent, whole numbers; null when it does not report it, or does not report at all. */
  readonly cpuUsage: number | null;
  readonly memoryUsage: number | null;
  readonly gpuUsage: number | null;
  readonly gpuMemoryUsage: number | null;
  /** Most subscriptions; null when it is not known to this process. */
  readonly capacity: number | null;
  readonly subscriptionCount: number;
  /** Names of the models it runs, sorted. */
  readonly models: readonly string[];
  /** Since when the master is connected to it, ISO 8601; null: it is not. */
  readonly connectedAt: string | null;
}

export interface ProcessRow {
  readonly nodeId: string;
  /** Name for people. */
  readonly identifier: string;
  readonly role: 'master' | 'follower';
  /** A suspended master is leader, but may not act until it is confirmed again. */
  readonly mayAct: boolean;
  readonly term: number;
  /** On the master: since the confirmation that its lease rests on was sent. Milliseconds. */
  readonly leaseAgeMs: number | null;
  /** Detections that reached its callbacks a second, and since its start. */
  readonly detectionsPerSecond: number;
  readonly delivered: number;
  readonly redelivered: number;
  /** How old the last detections were when they reached it, by the clocks of the two. Milliseconds; null: there were none. */
  readonly lagMs: number | null;
  /** Partitions that it owns, in order: their detections reach its global callbacks. */
  readonly partitions: readonly number[];
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface SubscriptionRow {
  /** `<displayId>;<cameraId>` */
  readonly subscriptionIdentifier: string;
  /** Empty while no worker is assigned. */
  readonly workerUrl: string;
  readonly status: 'active' | 'pending' | 'failed' | 'recovering';
  readonly reason: string;
  /** ISO 8601: since when the status holds. */
  readonly since: string;
}

export interface SkippedRow {
  readonly displayId: string;
  readonly reason: string;
  readonly detail: string;
}

/** A dependency that can be unavailable while the page stays open. */
export interface SourceRow {
  readonly name: 'redis' | 'database' | 'master';
  readonly ok: boolean;
  /** ISO 8601: since when. */
  readonly since: string;
  /** What is wrong, for people; null: nothing. */
  readonly problem: string | null;
}

/** What happened, as a master wrote it down. What it says beyond this depends on its type; all of it is text of unknown origin. */
export interface EventItem {
  readonly eventId: string;
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly term: number;
  readonly [detail: string]: unknown;
}

export type DetectionBox = readonly [left: number, top: number, width: number, height: number];

/** A detection as it reached a callback of some process. */
export interface DetectionItem {
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** Process whose callback got it. */
  readonly nodeId: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly redelivered: boolean;
  /** When the worker made it, ISO 8601. */
  readonly detectedAt: string;
  /** Plate or label, for people; null: there is none. */
  readonly label: string | null;
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** Where in the picture, as shares of its width and height: left, top, width, height. */
  readonly boxes: readonly DetectionBox[];
  /** Name by which the worker can give the picture of that moment; null: it offers none. */
  readonly pictureId: string | null;
  /** What the worker reported, as JSON text, cut to 500 characters. */
  readonly summary: string;
}
