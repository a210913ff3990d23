import type { Lease } from '@detector-cluster/election';
import type { Redis } from 'ioredis';
import type { DirectiveStore } from '../control/directive-store.js';
import type { SecretBox } from '../desired/stream-secrets.js';
import type { ModelUrlProvider } from '../model-urls/model-url-provider.js';
import type { PlacementHintsOf } from '../desired/placement-hints.js';
import type { DesiredStateSource } from '../desired/desired-state-source.js';
import type { ExplicitSubscriptionStore } from '../desired/explicit-subscription-store.js';
import type { DetectionRouter } from '../delivery/send/detection-router.js';
import type { TracerSlot } from '../delivery/detection-tracer.js';
import type { FencedStore } from '../store/fenced-store.js';
import type { DetectorClusterTimings } from '../options/detector-cluster-options.js';
import type { WorkerList } from '../options/worker-list.js';
import type { ClusterKeys } from '../store/cluster-keys.js';
import type { SessionPatches } from '../sessions/session-patches.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { DetectorClusterEvents, WorkerEventName } from './cluster-events.js';
import type { ClusterLogger } from './worker-logger.js';
import type { NetworkPolicy } from '../networks/network-policy.js';
import type { ApplicationCalls } from '../util/application-calls.js';
import type { ReconcileFigures } from '../state/reconcile-figures.js';

export interface MasterTermOptions {
  readonly lease: Lease;
  readonly nodeId: string;
  readonly keys: ClusterKeys;
  readonly redis: Redis;
  readonly workers: WorkerList;
  readonly source: DesiredStateSource | null;
  readonly explicit: ExplicitSubscriptionStore;
  readonly sessions: SessionStore;
  readonly directives: DirectiveStore;
  readonly patches: SessionPatches;
  readonly modelUrls: ModelUrlProvider;
  /** Encrypts the URLs of subscriptions; null when no secret is configured. */
  readonly secretBox: SecretBox | null;
  readonly placement: PlacementHintsOf | null;
  readonly networks: NetworkPolicy;
  readonly timings: DetectorClusterTimings;
  /** Limits what is asked of the application. */
  readonly calls: ApplicationCalls;
  /** The term starts, feeds and closes it. */
  readonly createRouter: (store: FencedStore, mayForward: () => boolean) => DetectionRouter;
  /** Gives up the leadership that this process has, for a reason that is logged; resolves when the election knows. */
  readonly resign: (reason: string) => Promise<void>;
  /** The processes that take detections, in the order of their ids. */
  readonly members: () => Promise<readonly string[]>;
  readonly emit: <K extends WorkerEventName>(event: K, ...args: DetectorClusterEvents[K]) => void;
  readonly logger: ClusterLogger;
  /** For sockets to workers and what comes over them. */
  readonly connectionLogger: ClusterLogger;
  readonly figures: ReconcileFigures;
  readonly tracing: TracerSlot;
}
