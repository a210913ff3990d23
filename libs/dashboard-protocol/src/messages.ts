import type { DashboardView, DetectionItem, EventItem } from './dashboard-view.js';
import type { PackedSubscriptions } from './packed-subscriptions.js';
import type { ViewChanges } from './view-diff.js';

/** Increases with each incompatible change of these messages. An old page in a new cluster reloads itself. */
export const DASHBOARD_PROTOCOL = 9;

/** Path of the page's WebSocket on the origin of the page. */
export const DASHBOARD_PATH = '/api/dashboard';

/** The service sends the page a message at least this often. Milliseconds. */
export const TICK = 1_000;

/** After this time without a message, the page considers the service unavailable. Milliseconds. */
export const SILENCE = 4_000;

/** Codes with which the service closes a page's socket. */
export const CloseCode = {
  /** The page sent no `hello` in time, or an invalid message. */
  badMessage: 4400,
  /** The API key is missing or wrong. */
  unauthorized: 4401,
  /** The page has another version and must reload. */
  otherVersion: 4409,
  /** This process has reached its limit of pages. */
  full: 1013,
  /** The page reads more slowly than the service sends, and must reconnect. */
  tooSlow: 4429,
} as const;

/** The page's only message. It carries the key, because URLs are logged. */
export interface HelloMessage {
  readonly event: 'hello';
  readonly data: { readonly version: number; readonly apiKey: string | null };
}

/** The answer to `hello`: for whom the page acts. The page does not offer what its caller may not do. */
export interface WelcomeMessage {
  readonly event: 'welcome';
  readonly data: { readonly name: string; readonly mayOperate: boolean };
}

/** Colours by which operators distinguish clusters. */
export const CLUSTER_COLOURS = ['blue', 'green', 'orange', 'red', 'purple'] as const;

/** The name of a cluster for people, so that staging is not taken for production. */
export interface ClusterLabel {
  readonly name: string;
  readonly colour: (typeof CLUSTER_COLOURS)[number] | null;
}

/** What follows. Each is one text frame of JSON. `seq` increases by one per patch; after a gap the page reconnects. */
export type DashboardMessage = SnapshotMessage | SubscriptionsMessage | PatchMessage;

export interface SnapshotMessage {
  readonly event: 'snapshot';
  readonly data: {
    readonly seq: number;
    /** ISO 8601. */
    readonly at: string;
    /** `processId` of the process that feeds this page. */
    readonly servedBy: string;
    /** Omitted if the cluster has no name. */
    readonly cluster?: ClusterLabel;
    /** Without `subscriptions` if there are many or the service has not read them yet: they follow in a message of their own. */
    readonly view: DashboardView;
    /** The newest, oldest first. */
    readonly events: readonly EventItem[];
    readonly detections: readonly DetectionItem[];
  };
}

/** All subscriptions, so that a page is useful before they are read and sent. Until then patches do not contain them. */
export interface SubscriptionsMessage {
  readonly event: 'subscriptions';
  readonly data: {
    /** That of the snapshot or patch before it. */
    readonly seq: number;
    readonly at: string;
    readonly subscriptions: PackedSubscriptions;
  };
}

export interface PatchMessage {
  readonly event: 'patch';
  readonly data: {
    readonly seq: number;
    readonly at: string;
    /** Omitted if nothing has changed. */
    readonly changes?: ViewChanges;
    /** New ones, oldest first. */
    readonly events?: readonly EventItem[];
    /** New ones, oldest first, at most 50; `skippedDetections` more came in that time. */
    readonly detections?: readonly DetectionItem[];
    readonly skippedDetections?: number;
  };
}
