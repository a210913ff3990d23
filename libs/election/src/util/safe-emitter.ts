import { EventEmitter, errorMonitor } from 'node:events';

/** Event names with the tuples of their listeners' arguments, among them `error`. */
export type EventsWithError<Events> = { [Name in keyof Events]: unknown[] } & { error: [error: Error] };

type Listener = (...args: unknown[]) => unknown;

/**
 * An emitter whose listeners cannot break the code that emits. It reports a listener that throws or rejects as `error`. It
 * delivers an event emitted from within a listener after the current one, so that all listeners see the same order.
 * An `error` without a listener goes to {@link unheard} instead of ending the process. Listeners of `errorMonitor` see every
 * error and do not count as listeners.
 */
export abstract class SafeEmitter<Events extends EventsWithError<Events>> extends EventEmitter<Events> {
  // Not to be met by the members of those who extend it.
  readonly #queue: [name: keyof Events, args: unknown[]][] = [];
  #delivering = false;

  /** Receives errors that have no listener. */
  protected abstract unheard(error: Error): void;

  protected fire<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    this.#queue.push([name, args]);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#deliver(...next);
    } finally {
      this.#delivering = false;
    }
  }

  #deliver(name: keyof Events, args: unknown[]): void {
    const listeners = this.#listenersOf(name);
    if (name === 'error') {
      for (const monitor of this.#listenersOf(errorMonitor)) this.#call(monitor, name, args);
      if (listeners.length === 0) this.unheard(args[0] as Error);
    }
    for (const listener of listeners) this.#call(listener, name, args);
  }

  #listenersOf(name: keyof Events | typeof errorMonitor): Listener[] {
    return this.rawListeners(name as never) as unknown as Listener[];
  }

  #call(listener: Listener, name: keyof Events, args: unknown[]): void {
    try {
      const result = Reflect.apply(listener, this, args);
      if (result instanceof Promise) result.catch((error: unknown) => this.#failed(name, error));
    } catch (error) {
      this.#failed(name, error);
    }
  }

  #failed(name: keyof Events, cause: unknown): void {
    const error = new Error(`a listener of '${String(name)}' failed: ${String(cause)}`, { cause });
    // A broken listener of `error` must not receive its own errors forever.
    if (name === 'error') this.unheard(error);
    else this.fire('error', ...([error] as Events['error']));
  }
}
