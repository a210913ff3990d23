import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { blockingSettings, closeRedis, openRedis, redial } from '../connection/redis-connection.js';
import { type DirectRedisSource, isCluster, listenerCount } from '../connection/redis-source.js';
import { subscribeAtEveryDial, watchSilence } from '../connection/subscribe-at-every-dial.js';
import { instanceOf, newIncarnation } from '../../../lease/lease-owner.js';
import type { ProcessPresence } from './presence-timing.js';

const SILENCE = { interval: 1_000, limit: 2_000 };

/** How long a server gets to see a presence that has just been made. Milliseconds. */
const FIRST_CHECK = 250;

/** A server that never sees it, behind a proxy for example, is asked less and less often, at the latest after this time. Milliseconds. */
const LAST_CHECK = 30_000;

/**
 * Shows that this process lives: a connection that listens to the process's own channels and does nothing else. When the
 * process dies, its kernel closes the connection, and the server forgets the listener within milliseconds.
 *
 * `<prefix><candidate id>` shows that a process with this id lives; `<prefix><candidate id>:<incarnation>` shows this one.
 *
 * Emits `listening` each time the server has it on its list, again.
 */
export class PresenceConnection extends EventEmitter<{ listening: [] }> implements ProcessPresence {
  private redis: Redis;
  private subscribed = false;
  private away = false;
  private closed = false;
  private endCheck: (() => void) | undefined;

  /**
   * @param prefix Prefix of presence channels, see `electionKeys`.
   * @param incarnation Names this life of the process. Default: random.
   */
  constructor(
    private readonly source: DirectRedisSource,
    private readonly prefix: string,
    readonly candidateId: string,
    readonly incarnation: string = newIncarnation(),
  ) {
    super();
    this.setMaxListeners(0);
    this.redis = this.open();
  }

  get listening(): boolean {
    return this.subscribed;
  }

  whenListening(timeout: number, signal: AbortSignal): Promise<void> {
    if (this.subscribed || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.off('listening', done);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      signal.addEventListener('abort', done);
      this.once('listening', done);
    });
  }

  leave(): void {
    this.away = true;
    this.subscribed = false;
    closeRedis(this.redis);
  }

  comeBack(): void {
    if (!this.away || this.closed) return;
    this.away = false;
    this.redis = this.open();
  }

  /**
   * Checks that the server that receives the commands sees the presence of this process, until it is closed. After a failover by DNS or
   * `REPLICAOF`, the demoted server refuses commands, so the command connection finds the new server. A connection that only listens
   * gets no refusal and stays on the demoted server, where no process looks for presence.
   *
   * Checks each time `commands` has connected, and dials the presence connection again until the server sees it.
   */
  checkBy(commands: Redis): void {
    this.endCheck?.();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    const checkIn = (delay: number) => {
      stop();
      timer = setTimeout(() => void check(delay), delay).unref();
    };
    const check = async (delay: number) => {
      // Not connected, the next connection is checked.
      if (commands.status !== 'ready') return;
      const next = Math.min(2 * delay, LAST_CHECK);
      if (!this.subscribed) return checkIn(next);
      const seen = await commands.call('PUBSUB', listenerCount(this.source), this.channel).then(
        (reply) => Number((reply as unknown[])[1]) > 0,
        // Not allowed to know, or no answer: then the connection is made again.
        () => true,
      );
      if (seen) return;
      redial(this.redis);
      checkIn(next);
    };
    const begin = () => checkIn(FIRST_CHECK);
    commands.on('ready', begin).on('close', stop).on('end', stop);
    if (commands.status === 'ready') begin();
    this.endCheck = () => {
      stop();
      commands.off('ready', begin).off('close', stop).off('end', stop);
    };
  }

  close(): void {
    this.closed = true;
    this.endCheck?.();
    this.leave();
  }

  /** The channel of this life of the process. */
  private get channel(): string {
    return this.prefix + instanceOf(this.candidateId, this.incarnation);
  }

  private open(): Redis {
    const channel = this.prefix + this.candidateId;
    const channels = [channel, this.channel];
    const redis = openRedis(this.source, {
      ...blockingSettings,
      enableOfflineQueue: false,
      // The channel names the process that it belongs to.
      connectionName: `election:presence:${channel}`,
    });
    // On a cluster a listener belongs to the slot of its channel, and Redis notifies it when the slot moves.
    const subscribe = () =>
      isCluster(this.source) ? redis.ssubscribe(...channels) : redis.subscribe(...channels);
    subscribeAtEveryDial(redis, subscribe, () => {
      if (redis !== this.redis || this.away) return;
      this.subscribed = true;
      this.emit('listening');
    });
    redis.on('close', () => {
      if (redis === this.redis) this.subscribed = false;
    });
    redis.on('moved', () => redial(redis));
    watchSilence(redis, SILENCE);
    return redis;
  }
}
