import type { DetectionItem, EventItem } from '@detector-cluster/dashboard-protocol';

/** Why and how a unit (a camera with all its subscriptions) is placed. Reasons are stable names. */
export interface PlanMove {
  readonly unitId: string;
  readonly from: string;
  readonly to: string;
}

/** The unit runs at `from` until `to` shows it. */
export interface MoveUnderWay extends PlanMove {
  /** ISO 8601: when the new worker got the subscriptions. */
  readonly since: string;
}

export interface PlanAction {
  readonly type: 'place' | 'move' | 'evict' | 'abort';
  readonly unitId: string;
  readonly from?: string;
  readonly to?: string;
  readonly reason?: string;
  readonly waits?: boolean;
  readonly breaksFirst?: boolean;
}

export interface HeldMove {
  readonly unitId: string;
  readonly from: string;
  /** Null: no worker can take it. */
  readonly to: string | null;
  readonly reason: string;
  readonly heldBy: string;
}

export interface WorkerScore {
  readonly url: string;
  /** From 0 to 1 while nothing is over its limit. */
  readonly load: number;
  readonly components: Readonly<Record<string, number | null>>;
  readonly allocated: number;
  readonly capacity: number;
  readonly rejects: string | null;
}

/** Reason to number of workers. */
export type RejectionCounts = Readonly<Record<string, number>>;

export interface PlanAnswer {
  readonly term: number;
  readonly actions: readonly PlanAction[];
  readonly held: readonly HeldMove[];
  readonly moves: readonly MoveUnderWay[];
  readonly unplaced: readonly { readonly unitId: string; readonly reasons: RejectionCounts }[];
  readonly scores: readonly WorkerScore[];
  readonly balance: {
    readonly deviation: number;
    readonly spread: number;
    readonly allocationSpread: number;
    readonly rebalancing: boolean;
  };
  readonly frozen: boolean;
  /** Number of entries that the answer omits from each list. */
  readonly omitted: Readonly<Record<'actions' | 'held' | 'unplaced' | 'moves', number>>;
}

export interface ExplanationAnswer {
  readonly subscriptionIdentifier: string;
  readonly unitId: string;
  readonly subscriptions: readonly string[];
  readonly cost: number;
  readonly priority: number;
  readonly workerUrl: string | null;
  readonly plannedUrl: string | null;
  readonly moving: PlanMove | null;
  readonly actions: readonly PlanAction[];
  readonly held: HeldMove | null;
  readonly unplaced: RejectionCounts | null;
  /** Workers that could take it come first, the best one at the top. */
  readonly workers: readonly WorkerVerdict[];
}

/** One worker as a candidate for one unit. */
export interface WorkerVerdict {
  readonly url: string;
  /** Load including the unit, minus the worker's preference for it. The lowest score wins. */
  readonly score: number;
  readonly load: number;
  /** Empty: the worker could take the unit. */
  readonly rejections: readonly string[];
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

/** Which events: the latest, or the first `limit` of those after an `eventId`. Filters that are left out: any. */
export interface EventsQuery {
  /** An `eventId`. */
  readonly after?: string;
  /** Types, separated by commas. */
  readonly type?: string;
  /** URL of a worker that the events name. */
  readonly worker?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface AcceptedAnswer {
  readonly accepted: boolean;
  /** False: nothing had to change. */
  readonly changed?: boolean;
}

export interface ResignedAnswer {
  readonly resigned: boolean;
  readonly term: number;
  readonly processId: string;
}

export interface ReplayAnswer {
  readonly replayed: number;
  /** Letters that stay because no process has a listener for them any more. */
  readonly left: readonly string[];
  /** Ids without a letter. */
  readonly gone: readonly string[];
}

export interface DropAnswer {
  readonly dropped: number;
  /** Letters that stay because a replay of them is pending. */
  readonly left: readonly string[];
  /** Ids without a letter. */
  readonly gone: readonly string[];
}

export interface EventsAnswer {
  /** Oldest first. */
  readonly items: readonly EventItem[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Which kept detections to find; left out: any. */
export interface StoredQuery {
  readonly camera?: string;
  readonly label?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface StoredAnswer {
  /** Newest first. */
  readonly items: readonly DetectionItem[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export interface DetectionStatsAnswer {
  /** Of the process that answers; null: it keeps no detections. */
  readonly history: { readonly stored: number; readonly dropped: number; readonly waiting: number } | null;
}

export interface DeadLettersAnswer {
  readonly items: readonly DeadLetter[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Which dead letters. Filters that are left out: any. */
export interface LettersFilter {
  readonly sort?: 'failedAt' | '-failedAt';
  readonly camera?: string;
  /** A part of the worker's URL. */
  readonly worker?: string;
  readonly audience?: string;
  /** A part of the error. */
  readonly text?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

/** Which page of the dead letters. */
export interface LettersPage extends LettersFilter {
  readonly cursor?: string;
  readonly limit: number;
}
