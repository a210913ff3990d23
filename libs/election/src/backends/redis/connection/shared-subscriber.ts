import type { Redis } from 'ioredis';
import { getOrInsertComputed } from '../../../util/get-or-insert-computed.js';
import { blockingSettings, closeRedis, openRedis } from './redis-connection.js';
import type { DirectRedisSource } from './redis-source.js';
import { subscribeAtEveryDial, watchSilence } from './subscribe-at-every-dial.js';

type MessageHandler = (message: string) => void;

/**
 * One subscribed connection for many listeners. It is dialled at the first {@link listen}, and again after cuts and
 * silence, until {@link close}.
 *
 * Each listener subscribes with a separate command, so a channel that the server's access rules refuse does not affect the
 * other listeners.
 */
export class SharedSubscriber {
  private readonly handlers = new Map<string, Set<MessageHandler>>();
  private redis: Redis | undefined;
  private closed = false;

  /**
   * @param onError errors of the connection, a refused subscription, and what a handler throws
   * @param connectionName what `CLIENT LIST` shows
   */
  constructor(
    private readonly source: DirectRedisSource,
    private readonly onError: (error: Error) => void = () => undefined,
    private readonly connectionName = 'subscriber',
  ) {}

  /**
   * Calls the handler of a channel with each message. `onSubscribed` runs each time these channels are subscribed (also after a
   * reconnect): earlier messages are lost. Channels may be added while the connection is open; several listeners may share a
   * channel. Returns a function that removes the listener; the channel is unsubscribed with its last listener.
   *
   * @param onLost runs each time the connection closes: no message arrives until `onSubscribed` runs again
   */
  listen(
    channels: Readonly<Record<string, MessageHandler>>,
    onSubscribed: () => void = () => undefined,
    onLost: () => void = () => undefined,
  ): () => void {
    const names = Object.keys(channels);
    if (this.closed || names.length === 0) return () => undefined;
    // Wrapped, because two listeners may pass the same function.
    const own = names.map((name): [string, MessageHandler] => [name, (message) => channels[name]!(message)]);
    for (const [name, handler] of own) getOrInsertComputed(this.handlers, name, () => new Set()).add(handler);
    const redis = (this.redis ??= this.open());
    const subscribe = async () => {
      await redis.subscribe(...names);
      // The listener may have left while the command was in flight, or was sent again after a cut.
      this.unsubscribeUnused(names);
    };
    const subscribed = () => {
      if (!this.closed) onSubscribed();
    };
    const stop = subscribeAtEveryDial(redis, subscribe, subscribed, this.onError);
    redis.on('close', onLost);
    return () => {
      stop();
      redis.off('close', onLost);
      for (const [name, handler] of own) this.remove(name, handler);
      this.unsubscribeUnused(names);
    };
  }

  /** Closes the connection; no handler is called any more. Idempotent; later listeners hear nothing. */
  close(): void {
    this.closed = true;
    this.handlers.clear();
    if (this.redis) closeRedis(this.redis);
  }

  private open(): Redis {
    const redis = openRedis(
      this.source,
      { ...blockingSettings, connectionName: this.connectionName },
      this.onError,
    );
    redis.setMaxListeners(0);
    redis.on('message', (channel: string, message: string) => this.dispatch(channel, message));
    watchSilence(redis);
    return redis;
  }

  private dispatch(channel: string, message: string): void {
    // A copy: a handler that leaves and listens again is not called twice with the same message.
    const handlers = [...(this.handlers.get(channel) ?? [])];
    for (const handler of handlers)
      try {
        handler(message);
      } catch (error) {
        this.onError(new Error(`a listener of ${channel} failed: ${String(error)}`, { cause: error }));
      }
  }

  private remove(channel: string, handler: MessageHandler): void {
    const handlers = this.handlers.get(channel);
    handlers?.delete(handler);
    if (handlers?.size === 0) this.handlers.delete(channel);
  }

  /** Without a connection there is nothing to undo: the next one subscribes only channels that have listeners. */
  private unsubscribeUnused(names: readonly string[]): void {
    const unused = names.filter((name) => !this.handlers.has(name));
    if (unused.length > 0 && this.redis?.status === 'ready')
      this.redis.unsubscribe(...unused).catch(() => undefined);
  }
}
