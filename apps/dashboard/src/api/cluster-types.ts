import type {
  Capacity,
  HeldMove,
  Plan,
  PlanMove,
  SubscriptionExplanation,
  UnplacedUnit,
  WorkerScore,
  WorkerVerdict,
} from '@detector-cluster/detector-cluster/planner';

export type { HeldMove, WorkerScore, WorkerVerdict };

/** A step of a plan for a unit: a camera with all its subscriptions. */
export interface PlanAction {
  readonly type: 'place' | 'move' | 'evict' | 'abort';
  readonly unitId: string;
  readonly from?: string;
  readonly to?: string;
  readonly reason?: string;
  readonly waits?: boolean;
  readonly breaksFirst?: boolean;
}

/** Reason to number of workers. */
export type RejectionCounts = UnplacedUnit['reasons'];

/** Whether the workers are enough. */
export interface CapacityAnswer extends Omit<Capacity, 'models'> {
  readonly models: readonly { readonly model: string; readonly headroom: number }[];
}

/** What a drain would do. */
export interface DrainForecast {
  readonly cameras: number;
  /** Cameras that would have no worker. */
  readonly withoutRoom: number;
  /** How long a drain waits for room, in milliseconds. */
  readonly deadline: number;
}

export interface PlanAnswer extends Pick<Plan, 'held' | 'unplaced' | 'scores' | 'balance'> {
  readonly term: number;
  readonly actions: readonly PlanAction[];
  /** `since`, ISO 8601: when the new worker got the subscriptions. */
  readonly moves: readonly (PlanMove & { readonly since: string })[];
  readonly frozen: boolean;
  readonly capacity: CapacityAnswer;
  /** Number of entries that the answer omits from each list. */
  readonly omitted: Readonly<Record<'actions' | 'held' | 'unplaced' | 'moves', number>>;
}

export interface ExplanationAnswer extends Omit<SubscriptionExplanation, 'actions'> {
  readonly actions: readonly PlanAction[];
}

export interface DeadLetter {
  readonly letterId: string;
  readonly detectionId: string;
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string | null;
  /** The worker's message as it came. */
  readonly frame: string;
  readonly audience: string;
  readonly error: string;
  readonly attempts: number;
  /** ISO 8601; empty: not known. */
  readonly failedAt: string;
  readonly processId: string;
}

export interface AcceptedAnswer {
  readonly accepted: boolean;
  /** False: nothing had to change. */
  readonly changed?: boolean;
}

/** What became of dead letters. */
export interface LettersAnswer {
  /** How many are delivered again; only after a replay. */
  readonly replayed?: number;
  /** How many are removed; only after a drop. */
  readonly dropped?: number;
  /** Letters that stay. */
  readonly left: readonly string[];
  /** Ids without a letter. */
  readonly gone: readonly string[];
}

/** What an operator did, or tried to do. */
export interface AuditEntry {
  readonly entryId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly address: string;
  readonly processId: string;
  readonly action: string;
  readonly target: string | null;
  readonly status: number;
  /** Why it was refused; null: it was carried out. */
  readonly problem: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export interface DetectionStatsAnswer {
  /** Of the process that answers; null: it keeps no detections. */
  readonly history: { readonly stored: number; readonly dropped: number; readonly waiting: number } | null;
}
