import { monitorRedis } from '@detector-cluster/dev-services';
import type { Socket } from 'node:net';
import { isAbove, isPartitionStream, parseMonitorLine, type StreamCommand } from './delivery-wire.js';

/** Where and when Redis accepted a detection. */
export interface Acceptance {
  readonly stream: string;
  /** Id of the entry. */
  readonly entry: string;
  /** By the wall clock of the server's machine. Milliseconds since 1970, with fractions. */
  readonly at: number;
}

interface Stream {
  /** Highest entry id so far. */
  last: string;
  /** Entry id → detection ids of the present entries, oldest first. */
  readonly entries: Map<string, readonly string[]>;
}

/**
 * Watches, from outside every process of the cluster, which detections Redis has accepted into partitions, in which order, and
 * which of them their owners have finished. MONITOR also shows commands that Redis refuses, so an append counts only if its id
 * is above all earlier ids of the stream.
 *
 * Slows the server down: for tests and demos.
 */
export class AcceptanceMonitor {
  private readonly streams = new Map<string, Stream>();
  private readonly acceptances = new Map<string, Acceptance>();
  private readonly finishedIds = new Set<string>();
  private readonly droppedIds = new Set<string>();
  private socket: Socket | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly redisUrl: string,
    private readonly keyPrefix = '',
  ) {}

  /** By detection id, in the order in which Redis accepted them. */
  get accepted(): ReadonlyMap<string, Acceptance> {
    return this.acceptances;
  }

  /** Detections whose owners have deleted the entries: callbacks have returned, or the detection is a dead letter. */
  get finished(): ReadonlySet<string> {
    return this.finishedIds;
  }

  /** Detections whose entries were trimmed. */
  get dropped(): ReadonlySet<string> {
    return this.droppedIds;
  }

  async start(): Promise<void> {
    this.socket = await monitorRedis(this.redisUrl, (line) => this.read(line));
    this.socket.on('error', (error) => (this.failure ??= error));
    this.socket.on('close', () => (this.failure ??= new Error('Redis closed the connection of MONITOR')));
  }

  /** Throws if the monitor missed something: its connection broke, or unknown entries were removed. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  stop(): void {
    this.socket?.removeAllListeners('close');
    this.socket?.destroy();
  }

  private read(line: string): void {
    const command = parseMonitorLine(line);
    if (command !== undefined) this.apply(command);
  }

  private apply(command: StreamCommand): void {
    if (command.kind === 'delete') {
      for (const stream of command.streams) this.streams.delete(stream);
      return;
    }
    const stream = this.streamOf(command.stream);
    if (stream === undefined) return;
    if (command.kind === 'append') this.append(stream, command);
    else if (command.kind === 'finish')
      for (const entry of command.entries) this.remove(stream, entry, this.finishedIds);
    else this.trim(stream, command);
  }

  private trim(stream: Stream, { stream: name, keep }: StreamCommand & { kind: 'trim' }): void {
    if (keep === undefined) {
      this.failure ??= new Error(`${name} was trimmed in a way that does not show what was removed`);
      return;
    }
    // Entries from before the monitor started are unknown here. They are older than all of these.
    const excess = Math.max(0, stream.entries.size - keep);
    for (const entry of [...stream.entries.keys()].slice(0, excess))
      this.remove(stream, entry, this.droppedIds);
  }

  private append(
    stream: Stream,
    { stream: name, entry, detectionIds, at }: StreamCommand & { kind: 'append' },
  ): void {
    if (!isAbove(entry, stream.last)) return;
    stream.last = entry;
    stream.entries.set(entry, detectionIds);
    // A replayed dead letter keeps the place of its first acceptance.
    for (const id of detectionIds)
      if (!this.acceptances.has(id)) this.acceptances.set(id, { stream: name, entry, at });
  }

  private remove(stream: Stream, entry: string, ids: Set<string>): void {
    for (const id of stream.entries.get(entry) ?? []) ids.add(id);
    stream.entries.delete(entry);
  }

  /** Undefined for any other key. */
  private streamOf(name: string): Stream | undefined {
    let stream = this.streams.get(name);
    if (stream === undefined && isPartitionStream(name, this.keyPrefix))
      this.streams.set(name, (stream = { last: '0-0', entries: new Map() }));
    return stream;
  }
}
