import type { Redis } from 'ioredis';

/** A pipeline has at most this many entries. */
const BATCH = 500;
/** At most this many pipelines are in flight. */
const PIPELINES = 4;

/** Where a bare writer writes to. */
export interface BareArguments {
  readonly redis: string;
  readonly streams: readonly string[];
}

/** Writes messages to streams with one XADD each, in pipelines. Messages that arrive while pipelines are in flight share the next one. */
export class BareWriter {
  private pending: string[][] = [];
  private running = 0;
  private scheduled = false;

  constructor(
    private readonly redis: Redis,
    private readonly streams: readonly string[],
  ) {}

  push(stream: number, message: string): void {
    this.pending.push(['xadd', this.streams[stream % this.streams.length]!, '*', 'message', message]);
    if (this.scheduled) return;
    this.scheduled = true;
    // Messages that arrive in the same turn share a pipeline.
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    while (this.pending.length > 0 && this.running < PIPELINES) {
      const batch = this.pending.splice(0, BATCH);
      this.running++;
      void this.redis
        .pipeline(batch)
        .exec()
        .then(() => {
          this.running--;
          this.flush();
        });
    }
  }
}
