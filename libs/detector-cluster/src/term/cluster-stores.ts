import { LetterStore } from '@detector-cluster/delivery/internal';
import { DeadLetters } from '../operators/dead-letters.js';
import { DirectiveStore } from '../workers/directive-store.js';
import type { SecretBox } from '../sources/secret-box.js';
import { ExplicitSubscriptionStore } from '../sources/explicit-subscription-store.js';
import { HeldRequests } from '../sources/held-requests.js';
import type { Requester } from '../sources/stored-subscription.js';
import { SessionStore } from '../operators/session-store.js';
import { ClusterView } from '../operators/cluster-view.js';
import type { ClusterTimers } from '../shared/cluster-timers.js';
import { ActualRecordsReader } from './actual-records-reader.js';
import type { ClusterConnections } from './cluster-connections.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

export interface ClusterStoresOptions {
  /** Encrypts the URLs of subscriptions; null when no secret is configured. */
  readonly secretBox: SecretBox | null;
  /** This process. */
  readonly requester: Requester;
  /** The requests that this process holds have changed in Redis. */
  readonly onHeldChange: () => void;
  readonly timers: Pick<ClusterTimers, 'requests'>;
  readonly logger: ClusterLogger;
}

/** What every process reads from Redis, and writes on behalf of the application and its operators. */
export class ClusterStores {
  /** The records of the master. */
  readonly view: ClusterView;
  /** The same, for a successor. */
  readonly actual: ActualRecordsReader;
  readonly explicit: ExplicitSubscriptionStore;
  /** Requests whose URLs stay in the memory of this process. */
  readonly held: HeldRequests;
  readonly sessions: SessionStore;
  readonly directives: DirectiveStore;
  readonly deadLetters: DeadLetters;

  constructor(
    { keys, logs, redis }: ClusterConnections,
    { logger, onHeldChange: onChange, requester, secretBox, timers }: ClusterStoresOptions,
  ) {
    this.view = new ClusterView(redis, keys);
    this.actual = new ActualRecordsReader(redis, keys);
    this.held = new HeldRequests({ redis, keys, requester, onChange, logger, timer: timers.requests });
    this.explicit = new ExplicitSubscriptionStore(redis, keys, secretBox, this.held);
    this.sessions = new SessionStore(redis, keys, (message) => logger.error(message));
    this.directives = new DirectiveStore(redis, keys);
    this.deadLetters = new DeadLetters(new LetterStore(redis, logs, keys));
  }
}
