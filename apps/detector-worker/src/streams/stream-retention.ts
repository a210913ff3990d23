import type { OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { WORKER_OPTIONS } from '../worker-options.js';
import type { WorkerOptions } from '../worker-options.js';
import { StreamRegistry } from './stream-registry.js';

/** Decides how long streams outlive the last socket. */
@Injectable()
export class StreamRetention implements OnModuleDestroy {
  private readonly logger = new Logger(StreamRetention.name);
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly streams: StreamRegistry,
    @Inject(WORKER_OPTIONS) private readonly options: Pick<WorkerOptions, 'onDisconnect' | 'lingerMs'>,
  ) {}

  opened(): void {
    clearTimeout(this.#timer);
  }

  allClosed(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    if (this.options.onDisconnect === 'drop') this.drop();
    else this.#timer = setTimeout(() => this.drop(), this.options.lingerMs);
  }

  /** The sockets close after this; no timer may start then. */
  onModuleDestroy(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  private drop(): void {
    if (this.streams.streamCount > 0)
      this.logger.log(`no master: ${this.streams.streamCount} streams dropped`);
    this.streams.clear();
  }
}
