import type { ProcessPresence } from '../../backends/redis/campaign/presence-timing.js';
import { ModelConnection, type ConnectionParts } from './model-connection.js';

/** How often the connection is pinged, and how long it may be silent. Milliseconds. */
const PING = 1_000;
const SILENCE = 2_000;

/** The presence of one process, over a separate connection. */
export class ModelPresence implements ProcessPresence {
  readonly connection: ModelConnection;
  listening = false;
  private away = false;
  private closed = false;
  private answered = 0;
  private timer: unknown;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly parts: ConnectionParts,
    instance: string,
    onListening: () => void,
  ) {
    this.connection = new ModelConnection(parts, {
      ready: () => {
        this.answered = parts.process.now();
        this.connection.subscribe(instance, () => {
          if (this.away) return;
          this.listening = true;
          onListening();
          for (const done of this.waiting) done();
        });
      },
      closed: () => (this.listening = false),
      failed: () => undefined,
    });
    this.connection.open();
    this.watch();
  }

  whenListening(timeout: number, signal: AbortSignal): Promise<void> {
    if (this.listening || signal.aborted) return Promise.resolve();
    const { process } = this.parts;
    return new Promise((resolve) => {
      const done = () => {
        process.clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.waiting.delete(done);
        resolve();
      };
      const timer = process.setTimeout(done, timeout);
      signal.addEventListener('abort', done);
      this.waiting.add(done);
    });
  }

  leave(): void {
    this.away = true;
    this.listening = false;
    this.connection.close();
  }

  comeBack(): void {
    if (!this.away || this.closed) return;
    this.away = false;
    this.connection.open();
  }

  close(): void {
    this.closed = true;
    this.leave();
    this.parts.process.clearTimeout(this.timer);
  }

  private watch(): void {
    const { process } = this.parts;
    let ticked = process.now();
    const tick = () => {
      const now = process.now();
      // After a pause of this process itself the answers may still be waiting to be read.
      if (!this.connection.ready || now - ticked > PING * 1.5) this.answered = now;
      ticked = now;
      if (now - this.answered >= SILENCE) {
        this.listening = false;
        this.connection.redial();
      } else if (this.connection.ready)
        this.connection.send(
          () => undefined,
          () => (this.answered = process.now()),
        );
      this.timer = process.setTimeout(tick, PING);
    };
    this.timer = process.setTimeout(tick, PING);
  }
}
