import type { ClientDuplexStream } from '@grpc/grpc-js';
import { endOfPrefix, type WatchResponse } from './etcd-api.js';
import { EtcdError, toEtcdError } from './etcd.error.js';

/** A key, or with `prefix` all keys that begin with it. */
export interface WatchedRange {
  readonly key: string;
  readonly prefix?: boolean;
}

export type EtcdEvent = WatchResponse['events'][number];

/** A stream of the events of some keys. It ends by {@link close}, or by a failure, which it reports once. */
export class EtcdWatch {
  private ended = false;
  private readonly events: EtcdEvent[] = [];
  private failure: EtcdError | undefined;
  private heard: (event: EtcdEvent) => void = (event) => this.events.push(event);
  private failed: (error: EtcdError) => void = (error) => (this.failure = error);

  /** @param revision The first whose events are reported. */
  constructor(
    private readonly stream: ClientDuplexStream<object, object>,
    ranges: readonly WatchedRange[],
    revision: number,
    private readonly endpoint: string,
  ) {
    stream.on('data', (response: WatchResponse) => this.read(response));
    stream.on('error', (error) => this.fail(toEtcdError(error, endpoint)));
    stream.on('end', () => this.fail(new EtcdError('UNREACHABLE', 'the connection broke', endpoint)));
    for (const { key, prefix } of ranges)
      stream.write({
        create_request: {
          key: Buffer.from(key),
          start_revision: revision,
          ...(prefix && { range_end: endOfPrefix(key) }),
        },
      });
  }

  /** Passes on the events so far and all later ones. */
  listen(heard: (event: EtcdEvent) => void, failed: (error: EtcdError) => void): void {
    this.heard = heard;
    this.failed = failed;
    for (const event of this.events.splice(0)) heard(event);
    if (this.failure) failed(this.failure);
  }

  close(): void {
    this.ended = true;
    this.stream.cancel();
  }

  private read({ canceled, cancel_reason, compact_revision, events }: WatchResponse): void {
    if (this.ended) return;
    for (const event of events) this.heard(event);
    if (!canceled) return;
    if (Number(compact_revision) > 0)
      this.fail(
        new EtcdError(
          'REFUSED',
          `what was to be watched is compacted up to revision ${compact_revision}`,
          this.endpoint,
        ),
      );
    else this.fail(toEtcdError({ details: cancel_reason }, this.endpoint));
  }

  private fail(error: EtcdError): void {
    if (this.ended) return;
    this.ended = true;
    this.stream.cancel();
    this.failed(error);
  }
}
