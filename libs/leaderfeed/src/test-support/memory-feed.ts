import { EventEmitter } from 'node:events';
import { BaseLeaderFeed, type Done, type LeaderFeedOptions } from '../base/index.js';

/** A record in memory that reports its changes in order. */
export class MemoryRecord {
  leader: string | null = null;
  readonly feed = new EventEmitter().setMaxListeners(0);

  constructor(private readonly deliver: (tell: () => void) => void = queueMicrotask) {}

  write(leader: string | null): void {
    this.leader = leader;
    this.deliver(() => this.feed.emit('record', leader));
  }
}

type Method = 'start' | 'create' | 'heartbeat' | 'subscribe' | 'unsubscribe' | 'elect';

/** A feed as a user would write it: only the six methods, with callbacks. */
export class MemoryFeed extends BaseLeaderFeed<{ name?: string }> {
  /** Faults that replace the next calls of a method. */
  readonly faults: Partial<Record<Method, (done: Done) => unknown>> = {};
  readonly calls: string[] = [];
  private readonly listener = (leader: string | null) => this.emit('heartbeat', leader);

  constructor(
    readonly record: MemoryRecord,
    options: LeaderFeedOptions,
  ) {
    super(options);
  }

  _start(_options: object, done: Done) {
    return this.call('start', done, () => undefined);
  }

  _create(done: Done) {
    return this.call('create', done, () => undefined);
  }

  _heartbeat(done: Done) {
    return this.call('heartbeat', done, () => this.record.write(this.id));
  }

  _subscribe(done: Done) {
    return this.call('subscribe', done, () => this.record.feed.on('record', this.listener));
  }

  _unsubscribe(done: Done) {
    return this.call('unsubscribe', done, () => this.record.feed.off('record', this.listener));
  }

  _elect(id: string | null, done: Done) {
    return this.call('elect', done, () => this.record.write(id));
  }

  private call(method: Method, done: Done, work: () => unknown): unknown {
    this.calls.push(method);
    const fault = this.faults[method];
    if (fault) return fault(done);
    work();
    done();
    return undefined;
  }
}
