import {
  CloseCode,
  DASHBOARD_PROTOCOL,
  SILENCE,
  type DashboardMessage,
  type HelloMessage,
  type WelcomeMessage,
} from '@detector-cluster/dashboard-protocol';

/** `unreachable`: the service does not answer. `full`: it answers, but accepts no more pages. */
export type Failure = 'unreachable' | 'full';

/** The page's connection to the service. Times are by the page's clock, in milliseconds since 1970. */
export type Connection =
  /** Nothing has been received yet. `failure`: why the last attempt failed; null if none has failed. */
  | {
      readonly phase: 'connecting';
      readonly failure: Failure | null;
      readonly retryAt: number | null;
    }
  | { readonly phase: 'live' }
  /** The shown state is as old as `since`. The next attempt is made at `retryAt`; null: one is in progress. */
  | {
      readonly phase: 'lost';
      readonly since: number;
      readonly failure: Failure;
      readonly retryAt: number | null;
    }
  /** The service requires an API key; `refused`: it rejected the given one. */
  | { readonly phase: 'locked'; readonly refused: boolean }
  /** The service has another version, and reloading the page has not helped. */
  | { readonly phase: 'outdated' };

/** From the dial to the first message, in milliseconds. The service reads several stores before it answers. */
const ANSWER = 10_000;

export interface FeedSocket {
  send(text: string): void;
  /** Closes the socket; it reports no more events. */
  drop(): void;
}

export interface FeedSocketEvents {
  opened(): void;
  received(text: string): void;
  closed(code: number): void;
}

/** The environment of the connection. */
export interface FeedWorld {
  dial(events: FeedSocketEvents): FeedSocket;
  /** Runs `action` once after `delay` ms; returns a function that cancels it. */
  after(delay: number, action: () => void): () => void;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  apiKey(): string | null;
  /** Reloads the page to get another version. False: the page has just tried that. */
  reload(): boolean;
}

export interface FeedListener {
  welcome(caller: WelcomeMessage['data']): void;
  message(message: DashboardMessage): void;
  connection(connection: Connection): void;
}

/** Keeps the page fed: dials, notices gaps and silence, and dials again. */
export class FeedConnection {
  private socket: FeedSocket | null = null;
  private cancelTimer: () => void = () => {};
  /** Null before the snapshot of the current socket. */
  private seq: number | null = null;
  private failures = 0;
  private failure: Failure | null = null;
  private heardAt: number | null = null;
  private waiting = false;
  private live = false;

  constructor(
    private readonly world: FeedWorld,
    private readonly listener: FeedListener,
  ) {}

  /** Dials in any state: at the start, and with another API key. */
  start(): void {
    this.failures = 0;
    this.dial();
  }

  /** Dials at once if it waits: the network is back, or the user looks at the page. */
  wake(): void {
    if (this.waiting) this.dial();
  }

  private dial(): void {
    this.rest();
    this.seq = null;
    this.reportFailure(null);
    this.arm(ANSWER, () => this.fail());
    const socket = this.world.dial({
      opened: () => socket.send(JSON.stringify(this.hello())),
      received: (text) => this.receive(text),
      closed: (code) => this.closed(code),
    });
    this.socket = socket;
  }

  private hello(): HelloMessage {
    return { event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: this.world.apiKey() } };
  }

  private receive(text: string): void {
    const message = parse(text);
    if (message?.event === 'welcome') {
      this.listener.welcome(message.data);
      return;
    }
    if (message === null || !this.isNext(message)) {
      this.fail();
      return;
    }
    // A snapshot alone does not show that the service can feed this page.
    if (message.event === 'patch') this.failures = 0;
    this.failure = null;
    this.seq = message.data.seq;
    this.heardAt = this.world.now();
    this.arm(SILENCE, () => this.fail());
    this.listener.message(message);
    this.report({ phase: 'live' });
  }

  private isNext({ event, data }: DashboardMessage): boolean {
    if (event === 'snapshot') return true;
    return this.seq !== null && data.seq === (event === 'patch' ? this.seq + 1 : this.seq);
  }

  private closed(code: number): void {
    if (code === CloseCode.unauthorized) {
      this.rest();
      this.report({ phase: 'locked', refused: this.world.apiKey() !== null });
    } else if (code === CloseCode.otherVersion) {
      this.rest();
      if (!this.world.reload()) this.report({ phase: 'outdated' });
    } else this.fail(code === CloseCode.full ? 'full' : 'unreachable');
  }

  private fail(failure: Failure = 'unreachable'): void {
    this.rest();
    this.failures++;
    this.failure = failure;
    const delay = backoff(this.failures, this.world.random());
    this.waiting = true;
    this.reportFailure(this.world.now() + delay);
    this.arm(delay, () => this.dial());
  }

  private reportFailure(retryAt: number | null): void {
    const { heardAt: since, failure } = this;
    this.report(
      since === null
        ? { phase: 'connecting', failure, retryAt }
        : { phase: 'lost', since, failure: failure ?? 'unreachable', retryAt },
    );
  }

  private rest(): void {
    this.cancelTimer();
    this.waiting = false;
    this.socket?.drop();
    this.socket = null;
  }

  private arm(delay: number, action: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.world.after(delay, action);
  }

  private report(connection: Connection): void {
    const live = connection.phase === 'live';
    // Each message confirms that the connection is live; only a change is reported.
    if (!(live && this.live)) this.listener.connection(connection);
    this.live = live;
  }
}

const EVENTS: ReadonlySet<unknown> = new Set<DashboardMessage['event']>([
  'snapshot',
  'subscriptions',
  'patch',
]);

/** Returns null for anything but a message of this protocol. */
function parse(text: string): WelcomeMessage | DashboardMessage | null {
  try {
    const message = JSON.parse(text) as WelcomeMessage | DashboardMessage;
    if (message?.event === 'welcome') return message;
    return EVENTS.has(message?.event) && Number.isInteger(message.data?.seq) ? message : null;
  } catch {
    return null;
  }
}

const MIN_DELAY = 250;
const FIRST = 500;
const MAX_DELAY = 5_000;

/**
 * Milliseconds to wait before the next attempt: drawn between a floor and a bound that doubles, so that not all pages
 * reconnect at once after the service has restarted.
 *
 * @param failures consecutive failed attempts; from 1
 * @param random from 0 to less than 1
 */
export function backoff(failures: number, random: number): number {
  const bound = Math.min(MAX_DELAY, FIRST * 2 ** (failures - 1));
  return Math.round(MIN_DELAY + random * bound);
}
