import type {
  ImageDetectionMessage,
  PatchSessionMessage,
  StateReportMessage,
  WorkerCommand,
} from '@detector-cluster/worker-protocol';
import { EventEmitter } from 'node:events';
import { DetectorConnection } from '../connection/detector-connection.js';
import { DialLimiter } from '../connection/dial-limiter.js';
import type { LivenessLimits } from '../connection/liveness.js';
import type { WorkerConnectionState, WorkerLiveness } from '../model/cluster-state.js';
import type { ReportedStream, WorkerObservation } from '../reconcile/observation.js';
import type { WorkerDefinition } from '../options/worker-definition.js';

export interface WorkerPoolOptions {
  readonly workers: readonly WorkerDefinition[];
  readonly nodeId: string;
  readonly term: number;
  readonly mayAct: () => boolean;
  readonly limits: LivenessLimits;
}

export interface WorkerPoolEvents {
  /** Something that a reconcile pass would see has changed. */
  change: [];
  detection: [worker: string, message: ImageDetectionMessage, frame: Buffer, id: string];
  patchSession: [worker: string, message: PatchSessionMessage];
  'worker:connecting': [{ url: string }];
  'worker:connected': [{ url: string }];
  'worker:disconnected': [{ url: string; reason: string }];
  'worker:websocket_error': [{ url: string; error: string }];
  'worker:online': [{ url: string }];
  'worker:offline': [{ url: string }];
  'worker:state_report': [{ url: string; report: StateReportMessage }];
  /** A frame that is not of the protocol; `isFirst` of its kind from this worker. */
  invalid: [worker: string, kind: string, detail: string, isFirst: boolean];
}

interface Member {
  readonly definition: WorkerDefinition;
  readonly connection: DetectorConnection;
  reported: Map<string, ReportedStream>;
  state: WorkerLiveness;
  refused: boolean;
  readonly invalidKinds: Set<string>;
}

/** Every worker connection of one master: what they report, and who is alive. Workers are named by their redacted URL. */
export class WorkerPool extends EventEmitter<WorkerPoolEvents> {
  private readonly members = new Map<string, Member>();
  private connections = 0;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  constructor(options: WorkerPoolOptions) {
    super();
    const dialLimiter = new DialLimiter();
    for (const definition of options.workers) {
      const connection = new DetectorConnection({
        url: definition.url,
        credentials: definition.credentials,
        nodeId: options.nodeId,
        term: options.term,
        mayAct: options.mayAct,
        dialLimiter,
        nextConnectionNumber: () => ++this.connections,
        limits: options.limits,
      });
      const member: Member = {
        definition,
        connection,
        reported: new Map(),
        state: 'Connecting',
        refused: false,
        invalidKinds: new Set(),
      };
      this.members.set(definition.id, member);
      this.wire(definition.id, member);
    }
  }

  start(): void {
    this.startedAt = performance.now();
    for (const { connection } of this.members.values()) connection.initialize();
    this.arm();
  }

  /**
   * Whether every worker has been heard once, or need not be waited for: it refused the connection (its host is up, it is
   * not), or its time is over.
   */
  settled(patience: number, now = performance.now()): boolean {
    if (now - this.startedAt >= patience) return true;
    return [...this.members.values()].every(
      ({ connection, refused }) => connection.lastReportAt !== null || refused,
    );
  }

  observations(): WorkerObservation[] {
    const now = performance.now();
    return [...this.members].map(([url, { connection, definition, reported }]) => {
      const report = connection.lastReport;
      return {
        url,
        liveness: connection.state(now),
        current: connection.current,
        reportAt: connection.lastReportAt,
        reported,
        capacity: definition.capacity,
        labels: definition.labels,
        cpu: report?.cpuUsage ?? null,
        memory: report?.memoryUsage ?? null,
        gpu: report?.gpuUsage ?? null,
        gpuMemory: report?.gpuMemoryUsage ?? null,
      };
    });
  }

  states(processId: string): WorkerConnectionState[] {
    const now = performance.now();
    return [...this.members].map(([url, { connection, reported }]) => {
      const state = connection.state(now);
      const report = connection.lastReport;
      const heartbeatAge = connection.lastReportAt === null ? null : now - connection.lastReportAt;
      return {
        url,
        processId,
        online: state === 'Ready',
        state,
        cpuUsage: report?.cpuUsage ?? null,
        memoryUsage: report?.memoryUsage ?? null,
        gpuUsage: report?.gpuUsage ?? null,
        gpuMemoryUsage: report?.gpuMemoryUsage ?? null,
        subscriptionCount: reported.size,
        subscriptions: [...reported.keys()].sort(),
        lastHeartbeat: heartbeatAge === null ? '' : new Date(Date.now() - heartbeatAge).toISOString(),
        connectedAt: connection.connectedAt === 0 ? '' : new Date(connection.connectedAt).toISOString(),
      };
    });
  }

  /** As {@link DetectorConnection.send}. */
  send(worker: string, command: WorkerCommand, onDropped?: () => void): void {
    this.members.get(worker)?.connection.send(command, onDropped);
  }

  /** Whether a socket is still open. */
  get anyOpen(): boolean {
    return [...this.members.values()].some(({ connection }) => connection.open);
  }

  /** Sends nothing more, keeps reading. */
  release(): void {
    clearTimeout(this.timer);
    for (const { connection } of this.members.values()) connection.release();
  }

  /** Drops every socket at once. */
  terminate(): void {
    clearTimeout(this.timer);
    for (const { connection } of this.members.values()) connection.terminate();
    this.removeAllListeners();
  }

  private wire(id: string, member: Member): void {
    const { connection } = member;
    connection.on('connecting', () => this.emit('worker:connecting', { url: id }));
    connection.on('open', () => {
      member.refused = false;
      this.emit('worker:connected', { url: id });
    });
    connection.on('report', (report) => {
      const reported = streamsOf(report);
      const changed = !sameStreams(member.reported, reported);
      member.reported = reported;
      this.emit('worker:state_report', { url: id, report });
      if (this.refresh(id, member) || changed) this.emit('change');
    });
    connection.on('detection', (message, frame, detectionId) =>
      this.emit('detection', id, message, frame, detectionId),
    );
    connection.on('patchSession', (message) => this.emit('patchSession', id, message));
    connection.on('invalid', (kind, detail) => {
      const isFirst = !member.invalidKinds.has(kind);
      member.invalidKinds.add(kind);
      this.emit('invalid', id, kind, detail, isFirst);
    });
    connection.on('disconnected', (reason) => {
      this.emit('worker:disconnected', { url: id, reason });
      this.refresh(id, member);
      this.emit('change');
    });
    connection.on('socketError', (error) => {
      const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (refused !== member.refused) {
        member.refused = refused;
        this.emit('change');
      }
      this.emit('worker:websocket_error', { url: id, error: error.message });
    });
  }

  /** Notes a change of liveness and announces it; the timer that waits for the next one is set anew. */
  private refresh(id: string, member: Member): boolean {
    const state = member.connection.state();
    const before = member.state;
    if (state === before) return false;
    member.state = state;
    if (state === 'Ready') this.emit('worker:online', { url: id });
    else if (before === 'Ready' || (before === 'Connecting' && state === 'Offline'))
      this.emit('worker:offline', { url: id });
    this.arm();
    return true;
  }

  private arm(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    const next = Math.min(
      ...[...this.members.values()].map(
        ({ connection }) => connection.nextStateChange(now) ?? Number.POSITIVE_INFINITY,
      ),
    );
    if (next === Number.POSITIVE_INFINITY) return;
    this.timer = setTimeout(
      () => {
        const changed = [...this.members].map(([id, member]) => this.refresh(id, member)).some(Boolean);
        if (changed) this.emit('change');
        this.arm();
      },
      Math.max(1, Math.ceil(next - now)),
    );
  }
}

function streamsOf(report: StateReportMessage): Map<string, ReportedStream> {
  return new Map(
    report.cameraConnections.map(({ subscriptionIdentifier, online, modelId }) => [
      subscriptionIdentifier,
      { online, modelId: modelId ?? null },
    ]),
  );
}

function sameStreams(
  a: ReadonlyMap<string, ReportedStream>,
  b: ReadonlyMap<string, ReportedStream>,
): boolean {
  if (a.size !== b.size) return false;
  for (const [id, stream] of a) {
    const other = b.get(id);
    if (other === undefined || other.online !== stream.online || other.modelId !== stream.modelId)
      return false;
  }
  return true;
}
