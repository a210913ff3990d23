import { type Lease, systemClock } from '@detector-cluster/election';
import { pause, toError } from '@detector-cluster/election/internal';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { BaseLeaderFeed } from '../base/base-leader-feed.js';
import type { LeaderFeedEvents, LeaderFeedState } from '../base/leader-feed-events.js';

/** Options of `LeaderFeedModule`. */
export interface LeaderFeedModuleOptions {
  /** The feed of this process, not started. The module starts and stops it. */
  readonly feed: BaseLeaderFeed;
  /** Options of `feed.start`: the channel, the table, the collection. */
  readonly start?: object;
}

/** Implemented by a class that is given to `forRootAsync` as `useClass` or `useExisting`. */
export interface LeaderFeedModuleOptionsFactory {
  createLeaderFeedOptions(): LeaderFeedModuleOptions | Promise<LeaderFeedModuleOptions>;
}

/** A caller waited for the start of a feed that Nest had not begun. */
export class FeedNotStartedError extends Error {
  override readonly name = 'FeedNotStartedError';
  readonly code = 'FEED_NOT_STARTED';

  constructor() {
    super(
      'the feed is not being started: Nest starts it in onApplicationBootstrap, after every onModuleInit has ended, and not in a ' +
        'module that is loaded lazily. Wait for it after the application has started, or listen with on()',
    );
  }
}

/** Pause before a failed start of a feed is repeated. Milliseconds. */
const FIRST_RETRY = 250;
const LAST_RETRY = 15_000;

type StrictFeed = BaseLeaderFeed & {
  readonly lease?: Lease | null;
  readonly term?: number;
  readonly mode?: string;
};

/**
 * This process in the election of a feed. The feed starts with the application, which does not wait for the store. A failed start is
 * repeated. When the application ends, the feed gives up leadership and closes.
 */
@Injectable()
export class FeedLeadership implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger: Logger;
  private readonly feed: StrictFeed;
  private readonly startOptions: object;
  private readonly stopping = new AbortController();
  private readonly endings: (() => void)[];
  /** Resolves when the feed has started, or will not. */
  private running: Promise<void> | undefined;

  /** @throws TypeError when there is no feed */
  constructor({ feed, start = {} }: LeaderFeedModuleOptions, name: string) {
    if (typeof feed?.start !== 'function')
      throw new TypeError('LeaderFeedModule: feed must be a leader feed, such as new LeaderFeed.Redis(url)');
    this.logger = new Logger(`LeaderFeed:${name}`);
    this.feed = feed;
    this.startOptions = start;
    this.endings = [
      this.on('new leader', (id) => this.logger.log(`${id} leads`)),
      ...(['subscribe error', 'heartbeat error', 'error'] as const).map((event) =>
        this.on(event, (error) => this.logger.warn(`${event}: ${error.message}`)),
      ),
    ];
  }

  /** Id of this node. */
  get id(): string {
    return this.feed.id;
  }

  get state(): LeaderFeedState {
    return this.feed.state;
  }

  /** The leader, as far as this node has heard; `null` when it does not know one. */
  get leader(): string | null {
    return this.feed.leader;
  }

  /** In strict mode the fencing token of the current leader, else 0. */
  get term(): number {
    return this.feed.term ?? 0;
  }

  /** While this node leads in strict mode; else `null`. */
  get lease(): Lease | null {
    return this.feed.lease ?? null;
  }

  /** Whether this node leads and, in strict mode, may act at this instant. Ask immediately before every act. */
  isLeader(): boolean {
    return this.feed.mode === 'strict' ? (this.lease?.isValid() ?? false) : this.feed.isLeader;
  }

  /** Makes a node the leader, this one by default. */
  elect(id?: string): Promise<void> {
    return this.feed.elect(id);
  }

  /**
   * Resolves when the feed has started; rejects when the application ends before that. Rejects at once before the module starts the
   * feed, because waiting in `onModuleInit` would block the start of the application.
   * @throws FeedNotStartedError
   */
  async waitUntilStarted(): Promise<void> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    if (!this.running) throw new FeedNotStartedError();
    await this.running;
    signal.throwIfAborted();
  }

  /** Listens to an event of the feed. Returns a function that removes the listener. */
  on<Name extends keyof LeaderFeedEvents>(
    name: Name,
    listener: (...args: LeaderFeedEvents[Name]) => void,
  ): () => void {
    this.feed.on(name, listener as never);
    return () => {
      this.feed.off(name, listener as never);
    };
  }

  onApplicationBootstrap(): void {
    this.running ??= this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('the application ends'));
    // Between two attempts to start, the feed is stopped.
    if (this.feed.status !== 'stopped') await this.feed.stop();
    await this.running;
    for (const end of this.endings) end();
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    for (let wait = FIRST_RETRY; !signal.aborted; wait = Math.min(2 * wait, LAST_RETRY))
      try {
        await this.feed.start(this.startOptions);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.logger.error(`${toError(error).message}; starting again in ${wait / 1_000} s`);
        await pause(wait, systemClock, signal);
      }
  }
}
