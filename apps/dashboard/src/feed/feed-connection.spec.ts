import {
  CloseCode,
  DASHBOARD_PROTOCOL,
  SILENCE,
  type DashboardMessage,
} from '@detector-cluster/dashboard-protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Connection, FeedConnection, type FeedSocketEvents, backoff } from './feed-connection.js';

/** A page in virtual time. The test controls its sockets. */
class World {
  time = 1_000_000;
  key: string | null = null;
  mayReload = true;
  reloads = 0;
  readonly sockets: { events: FeedSocketEvents; sent: string[]; dropped: boolean }[] = [];
  readonly states: Connection[] = [];
  readonly messages: unknown[] = [];
  readonly callers: unknown[] = [];
  private timers: { at: number; action: () => void }[] = [];

  readonly connection = new FeedConnection(
    {
      dial: (events) => {
        const socket = { events, sent: [] as string[], dropped: false };
        this.sockets.push(socket);
        return { send: (text) => socket.sent.push(text), drop: () => (socket.dropped = true) };
      },
      after: (delay, action) => {
        const timer = { at: this.time + delay, action };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((other) => other !== timer));
      },
      now: () => this.time,
      random: () => 0.5,
      apiKey: () => this.key,
      reload: () => {
        this.reloads++;
        return this.mayReload;
      },
    },
    {
      welcome: (caller) => this.callers.push(caller),
      message: (message) => this.messages.push(message),
      connection: (state) => this.states.push(state),
    },
  );

  get socket() {
    return this.sockets.at(-1)!;
  }

  get state() {
    return this.states.at(-1)!;
  }

  pass(ms: number): void {
    this.time += ms;
    for (const timer of this.timers.filter(({ at }) => at <= this.time)) {
      this.timers = this.timers.filter((other) => other !== timer);
      timer.action();
    }
  }

  hear(event: DashboardMessage['event'], seq: number): void {
    this.socket.events.received(JSON.stringify({ event, data: { seq, at: '' } }));
  }
}

describe('FeedConnection', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.connection.start();
  });
  const goLive = () => {
    world.socket.events.opened();
    world.hear('snapshot', 4);
    world.hear('patch', 5);
  };

  it('says hello with the key, and is live with the first message', () => {
    world.key = 'secret key';
    expect(world.state).toEqual({ phase: 'connecting', failure: null, retryAt: null });
    world.socket.events.opened();
    expect(world.socket.sent.map((text) => JSON.parse(text))).toEqual([
      { event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: 'secret key' } },
    ]);
    const caller = { name: 'ops', mayOperate: true };
    world.socket.events.received(JSON.stringify({ event: 'welcome', data: caller }));
    expect(world.callers).toEqual([caller]);
    world.hear('snapshot', 4);
    world.hear('patch', 5);
    expect(world.states).toEqual([{ phase: 'connecting', failure: null, retryAt: null }, { phase: 'live' }]);
    expect(world.messages).toHaveLength(2);
  });

  it('is lost after silence, since the last message, and dials again', () => {
    goLive();
    const heard = world.time;
    world.pass(SILENCE - 1);
    expect(world.state).toEqual({ phase: 'live' });
    world.pass(1);
    expect(world.state).toEqual({
      phase: 'lost',
      since: heard,
      failure: 'unreachable',
      retryAt: world.time + 500,
    });
    expect(world.socket.dropped).toBe(true);
    world.pass(500);
    expect(world.sockets).toHaveLength(2);
    expect(world.state).toEqual({ phase: 'lost', since: heard, failure: 'unreachable', retryAt: null });
    goLive();
    expect(world.state).toEqual({ phase: 'live' });
  });

  it('reports that the service is full, also during the next attempt', () => {
    world.socket.events.closed(CloseCode.full);
    expect(world.state).toEqual({ phase: 'connecting', failure: 'full', retryAt: world.time + 500 });
    world.pass(500);
    expect(world.state).toEqual({ phase: 'connecting', failure: 'full', retryAt: null });
    goLive();
    const heard = world.time;
    world.socket.events.closed(CloseCode.full);
    expect(world.state).toMatchObject({ phase: 'lost', since: heard, failure: 'full' });
  });

  it.each<[string, () => void]>([
    ['a gap', () => world.hear('patch', 7)],
    ['a repeated message', () => world.hear('patch', 5)],
    ['a frame that is not a message', () => world.socket.events.received('hello?')],
    ['another kind of message', () => world.socket.events.received('{"event":"x","data":{"seq":6}}')],
    ['the end of the socket', () => world.socket.events.closed(1006)],
    ['being too slow', () => world.socket.events.closed(CloseCode.tooSlow)],
  ])('connects again after %s', (_what, happens) => {
    goLive();
    const messages = world.messages.length;
    happens();
    expect(world.messages).toHaveLength(messages);
    expect(world.state).toMatchObject({ phase: 'lost' });
    world.pass(10_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('requires a snapshot first from each socket', () => {
    goLive();
    world.socket.events.closed(1006);
    world.pass(10_000);
    world.socket.events.opened();
    world.hear('patch', 6);
    expect(world.state).toMatchObject({ phase: 'lost', retryAt: expect.any(Number) });
  });

  it('takes subscriptions that belong to the message before them', () => {
    goLive();
    world.hear('subscriptions', 5);
    world.hear('patch', 6);
    expect(world.messages).toHaveLength(4);
    expect(world.state).toEqual({ phase: 'live' });
    world.hear('subscriptions', 5);
    expect(world.state).toMatchObject({ phase: 'lost' });
  });

  it('waits longer each time, also if only snapshots arrive', () => {
    const pauses: number[] = [];
    for (let n = 0; n < 4; n++) {
      world.socket.events.opened();
      world.hear('snapshot', 0);
      world.socket.events.closed(1006);
      const { retryAt } = world.state as { retryAt: number };
      pauses.push(retryAt - world.time);
      world.pass(retryAt - world.time);
    }
    expect(pauses).toEqual([500, 750, 1250, 2250]);
    goLive();
    world.socket.events.closed(1006);
    expect(world.state).toMatchObject({ retryAt: world.time + 500 });
  });

  it('gives up an unanswered dial', () => {
    world.pass(10_000);
    expect(world.socket.dropped).toBe(true);
    world.pass(10_000);
    expect(world.sockets).toHaveLength(2);
    expect(world.state).toEqual({ phase: 'connecting', failure: 'unreachable', retryAt: null });
  });

  it('dials at once if it is woken during a wait', () => {
    world.connection.wake();
    expect(world.sockets).toHaveLength(1);
    goLive();
    world.connection.wake();
    expect(world.sockets).toHaveLength(1);
    world.socket.events.closed(1006);
    world.connection.wake();
    expect(world.sockets).toHaveLength(2);
    world.pass(5_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('asks for a key, and does nothing until it has one', () => {
    world.socket.events.closed(CloseCode.unauthorized);
    expect(world.state).toEqual({ phase: 'locked', refused: false });
    world.pass(60_000);
    world.connection.wake();
    expect(world.sockets).toHaveLength(1);
    world.key = 'wrong';
    world.connection.start();
    world.socket.events.closed(CloseCode.unauthorized);
    expect(world.state).toEqual({ phase: 'locked', refused: true });
  });

  it('reloads the page once for another version', () => {
    world.socket.events.closed(CloseCode.otherVersion);
    expect(world.reloads).toBe(1);
    expect(world.state).toEqual({ phase: 'connecting', failure: null, retryAt: null });
    world.mayReload = false;
    world.connection.start();
    world.socket.events.closed(CloseCode.otherVersion);
    expect(world.state).toEqual({ phase: 'outdated' });
    world.pass(60_000);
    expect(world.sockets).toHaveLength(2);
  });
});

describe('backoff', () => {
  it('waits longer with each failure, up to a bound, and never zero', () => {
    expect([1, 2, 3, 4, 5, 50].map((failures) => backoff(failures, 0.999))).toEqual([
      750, 1249, 2248, 4246, 5245, 5245,
    ]);
    expect(backoff(1, 0)).toBe(250);
  });

  it('spreads pages that failed at the same time', () => {
    expect(backoff(4, 0.1)).toBeLessThan(backoff(4, 0.9) - 2_000);
  });
});
