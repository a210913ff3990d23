/* oxlint-disable no-underscore-dangle -- the names of the overridable methods are part of the API */
import { SafeEmitter } from '@detector-cluster/election/internal';
import { toError } from '@detector-cluster/election/internal';
import { callMethod, type Done } from './call-method.js';
import { ClassicElection } from './classic-election.js';
import {
  FeedStoppedError,
  type HeartbeatDetails,
  type LeaderFeedEvents,
  type LeaderFeedState,
  type LeaderFeedStatus,
} from './leader-feed-events.js';
import type { FeedElection, FeedElectionListener } from './feed-election.js';
import {
  resolveLeaderFeedOptions,
  type LeaderFeedOptions,
  type ResolvedLeaderFeedOptions,
} from './leader-feed-options.js';
import { Resubscriber } from './resubscriber.js';

type Callback<Result extends unknown[]> = (error: Error | null, ...result: Result) => void;

/**
 * One node of an election over a feed. Extend it for another store: implement `_start`, `_create`, `_subscribe`, `_unsubscribe`,
 * `_heartbeat` and `_elect`. `_create` is not called if `createIfMissing` is false. Each method must call `done`, with an error if
 * it failed; throwing or rejecting a promise also counts as a failure. Calls of a feed may overlap.
 *
 * `_subscribe` must emit `heartbeat` with the leader's id for each change of the record, in the order of the store, and not for
 * changes from before the subscription. It must emit `change` for everything else, and `subscribe error` when the subscription
 * breaks. The feed then ends the subscription and subscribes again.
 */
export abstract class BaseLeaderFeed<
  StartOptions extends object = object,
> extends SafeEmitter<LeaderFeedEvents> {
  // Must not collide with fields of subclasses.
  readonly #settings: ResolvedLeaderFeedOptions;
  #status: LeaderFeedStatus = 'stopped';
  #election: FeedElection | undefined;
  #resubscriber: Resubscriber | undefined;
  #starting: Promise<this> | undefined;
  #stopping: Promise<void> | undefined;

  /** @throws RangeError that names every invalid option. */
  constructor(options?: LeaderFeedOptions) {
    super();
    this.#settings = resolveLeaderFeedOptions(options);
  }

  /** Id of this node. */
  get id(): string {
    return this.#settings.id;
  }

  get status(): LeaderFeedStatus {
    return this.#status;
  }

  get state(): LeaderFeedState {
    return this.#election?.state ?? 'follower';
  }

  get isLeader(): boolean {
    return this.state === 'leader';
  }

  /** The leader, as far as this node has heard; `null` when it does not know one. */
  get leader(): string | null {
    return this.#election?.leader ?? null;
  }

  /**
   * Connects, creates what is missing, and subscribes. Resolves when that is done. A feed that failed to start or was stopped can be
   * started again. During {@link stop}, it first waits until the feed has stopped.
   *
   * @param callback Gets the same result as the promise. With it, a rejection of the promise is never unhandled.
   * @throws Error when the feed is already started or starting.
   * @throws FeedStoppedError when it is stopped in the meantime.
   */
  start(options?: StartOptions, callback?: Callback<[feed: this]>): Promise<this> {
    return inform<this, [feed: this]>(this.#startOnce((options ?? {}) as StartOptions), callback, (feed) => [
      feed,
    ]);
  }

  /**
   * Gives up leadership, informs the other nodes, and closes everything. Nodes that it could not reach find out by timeout.
   * @throws Error when the feed is already stopped or stopping.
   */
  stop(callback?: Callback<[]>): Promise<void> {
    return inform<void, []>(this.#stopOnce(), callback, () => []);
  }

  /**
   * Makes a node the leader, this one by default.
   * @throws Error when the feed is not started or the store is unavailable.
   */
  elect(callback?: Callback<[]>): Promise<void>;
  elect(id: string | undefined, callback?: Callback<[]>): Promise<void>;
  elect(id?: string | Callback<[]>, callback?: Callback<[]>): Promise<void> {
    const [node, listener] = typeof id === 'function' ? [undefined, id] : [id, callback];
    return inform<void, []>(this.#electNode(node ?? this.id), listener, () => []);
  }

  override emit<Name>(
    name: Name | keyof LeaderFeedEvents,
    ...args: Name extends keyof LeaderFeedEvents ? LeaderFeedEvents[Name] : never
  ): boolean {
    const heard = this.listenerCount(name as keyof LeaderFeedEvents) > 0;
    this.#receive(name as keyof LeaderFeedEvents, args as unknown[]);
    return heard;
  }

  /** Creates the database, table or collection if it is missing. */
  protected abstract _create(done: Done): unknown;
  /** Writes the id of this node, and the time of the store, into the record. */
  protected abstract _heartbeat(done: Done): unknown;
  /** Begins to emit `heartbeat`, `change` and `subscribe error`. */
  protected abstract _subscribe(done: Done): unknown;
  /** Ends the subscription. Also called when the subscription is broken or never began. */
  protected abstract _unsubscribe(done: Done): unknown;
  /** Connects. `options` are those given to {@link start}. */
  protected abstract _start(options: StartOptions, done: Done): unknown;
  /** Writes the id of the leader into the record; `null` when the leader stops. */
  protected abstract _elect(id: string | null, done: Done): unknown;

  /** Closes what `_start` has opened. Also called when `_start` has failed. */
  protected _stop(done: Done): unknown {
    done();
    return undefined;
  }

  protected get settings(): ResolvedLeaderFeedOptions {
    return this.#settings;
  }

  /** Number of the last known election; 0 before the first. */
  protected get lastElection(): number {
    return this.#election?.election ?? 0;
  }

  /** Chooses the election algorithm. */
  protected createElection(listener: FeedElectionListener): FeedElection {
    return new ClassicElection(
      this.#settings,
      {
        elect: (id) => callMethod(this, this._elect, [id]),
        heartbeat: () => callMethod(this, this._heartbeat),
      },
      listener,
    );
  }

  protected unheard(error: Error): void {
    process.emitWarning(error);
  }

  #receive(name: keyof LeaderFeedEvents, args: unknown[]): void {
    if (name === 'subscribe error') {
      this.#resubscriber?.broken(toError(args[0]));
      return;
    }
    if (name === 'heartbeat') {
      const [leaderId, details] = args as [string | null | undefined, HeartbeatDetails | undefined];
      this.#election?.heard(leaderId ?? null, details);
    }
    this.fire(name, ...(args as never));
  }

  #startOnce(options: StartOptions): Promise<this> {
    if (this.#stopping) return this.#stopping.then(() => this.#startOnce(options));
    if (this.#status === 'started') return Promise.reject(new Error('leaderfeed already started'));
    if (this.#starting) return Promise.reject(new Error('leaderfeed is currently starting'));
    this.#starting = this.#begin(options).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  #stopOnce(): Promise<void> {
    if (this.#stopping) return Promise.reject(new Error('leaderfeed is currently stopping'));
    if (this.#status === 'stopped') return Promise.reject(new Error('leaderfeed is already stopped'));
    this.#stopping = this.#finish().finally(() => (this.#stopping = undefined));
    return this.#stopping;
  }

  async #begin(options: StartOptions): Promise<this> {
    this.#status = 'starting';
    const election = this.createElection({
      state: (state) => this.fire('new state', state),
      leader: (leaderId) => this.fire('new leader', leaderId),
      heartbeatError: (error) => this.fire('heartbeat error', error),
    });
    const resubscriber = this.#createResubscriber(election);
    this.#resubscriber = resubscriber;
    try {
      await callMethod(this, this._start, [options]);
      this.#expectStarting();
      if (this.#settings.createIfMissing) await callMethod(this, this._create);
      this.#expectStarting();
      this.#election = election;
      await resubscriber.start();
      this.#expectStarting();
    } catch (error) {
      await this.#tearDown();
      throw toError(error);
    }
    this.#status = 'started';
    return this;
  }

  #createResubscriber(election: FeedElection): Resubscriber {
    return new Resubscriber({
      subscribe: () => callMethod(this, this._subscribe),
      unsubscribe: () => callMethod(this, this._unsubscribe),
      started: () => {
        election.subscribed();
        this.fire('subscribe started');
      },
      failed: (error) => {
        election.deaf();
        this.fire('subscribe error', error);
      },
      clock: this.#settings.clock,
      random: this.#settings.random,
    });
  }

  /** A caller may have called `stop` in the meantime. */
  #expectStarting(): void {
    if (this.#status !== 'starting') throw new FeedStoppedError();
  }

  async #finish(): Promise<void> {
    this.#status = 'stopping';
    // The start cleans up after itself.
    if (this.#starting) await this.#starting.catch(() => undefined);
    await this.#tearDown();
  }

  async #tearDown(): Promise<void> {
    const election = this.#election;
    const resubscriber = this.#resubscriber;
    await election?.end();
    this.#election = undefined;
    this.#resubscriber = undefined;
    // Whether this succeeds or not, nothing of it is used again.
    await resubscriber?.stop().catch(() => undefined);
    await callMethod(this, this._stop).catch(() => undefined);
    this.#status = 'stopped';
  }

  async #electNode(id: string): Promise<void> {
    if (typeof id !== 'string' || id === '')
      throw new TypeError(`elect: id must be the id of a node, not ${JSON.stringify(id)}`);
    if (!this.#election || this.#status !== 'started')
      throw new Error(`the feed is ${this.#status}: it can elect when start() has resolved`);
    await this.#election.elect(id);
  }
}

function inform<Value, Result extends unknown[]>(
  promise: Promise<Value>,
  callback: Callback<Result> | undefined,
  results: (value: Value) => Result,
): Promise<Value> {
  // An error of the callback must not reject the promise.
  if (callback)
    promise.then(
      (value) => process.nextTick(callback, null, ...results(value)),
      (error: unknown) => process.nextTick(callback, toError(error)),
    );
  return promise;
}
