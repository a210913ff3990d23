import type { PatchSessionMessage, StateReportMessage } from '@detector-cluster/worker-protocol';
import { isDeepStrictEqual } from 'node:util';
import type { WorkerDirective, WorkerStanding } from './directive-store.js';
import type { WorkerConnectionState, WorkerExcess } from '../shared/cluster-state.js';
import type { WorkerLiveness, WorkerObservation } from '@detector-cluster/placement/internal';
import type { WorkerDefinition } from './worker-definition.js';
import type { DetectorConnection } from './detector-connection.js';
import type { ExcessWatch } from './excess-watch.js';
import type { QuarantineReason } from './flap-watch.js';
import type { ReportedStreams } from './reported-streams.js';
import type { WorkerCommands } from './worker-commands.js';
import type { Metrics, WorkerMetrics } from './worker-metrics.js';

export interface WorkerPoolEvents {
  /** Something that a reconcile pass would see has changed. */
  change: [];
  patchSession: [worker: string, message: PatchSessionMessage];
  'worker:connecting': [{ url: string }];
  'worker:connected': [{ url: string }];
  /** `wasUp`: the worker reported over this connection. */
  'worker:disconnected': [{ url: string; reason: string }, wasUp: boolean];
  /** `problem` says it for people. */
  'worker:websocket_error': [event: { url: string; error: string }, problem: string];
  /** `known`: it was online under the master before, and this master has not lost it. */
  'worker:online': [{ url: string }, known: boolean];
  /** It no longer counts as up: it is suspect for a while, and then offline. `known`: as under the master before. */
  'worker:offline': [{ url: string }, state: WorkerLiveness, reason: string, known: boolean];
  /** It was suspect for so long that its subscriptions may go to other workers. */
  'worker:given-up': [{ url: string }];
  /** It gets nothing new until then (wall clock, milliseconds). */
  'worker:quarantined': [{ url: string; until: number; reason: QuarantineReason }];
  /** It sends more than its budget; see the event `excess` of a connection. */
  excess: [worker: string, kind: 'unread' | 'rate'];
  'worker:state_report': [{ url: string; report: StateReportMessage }];
  /** A worker that was ready before reports these streams otherwise than before, or has read the command for them. */
  streams: [worker: string, subscriptionIdentifiers: readonly string[]];
  /** A worker no longer shows these subscriptions with a picture; it last did at this instant (wall clock, milliseconds). */
  'streams-offline': [subscriptionIdentifiers: readonly string[], lastSeen: number];
  /** A frame that is not of the protocol; `isFirst` of its kind from this worker. */
  invalid: [worker: string, kind: string, detail: string, of: { count: number; isFirst: boolean }];
  /** The list of subscriptions for a worker of protocol version 2 does not fit into a frame, so it was not sent. */
  listTooLong: [worker: string, bytes: number, isFirst: boolean];
}

/** One worker of a pool. */
export interface Member {
  definition: WorkerDefinition;
  readonly connection: DetectorConnection;
  /** Since when it is no longer configured: it is drained, and then let go. Wall clock, milliseconds. */
  leavingSince: number | null;
  readonly metrics: WorkerMetrics;
  /** Most subscriptions that it had since its drain began; null while it is not being drained. */
  drainTotal: number | null;
  /** Why its drain cannot proceed; null: it proceeds, or there is none. */
  stuck: string | null;
  readonly streams: ReportedStreams;
  readonly commands: WorkerCommands;
  state: WorkerLiveness;
  refused: boolean;
  /** Whether it was online under the master before; null: that master did not know it. */
  wasOnline: boolean | null;
  /** Why no report has come: the last frame that was refused, or the end or refusal of the connection. */
  problem: string | null;
  readonly excess: ExcessWatch;
  readonly invalidKinds: Set<string>;
  /** What readers were shown last, and the report that it was made from. */
  shown: { readonly report: StateReportMessage | null; readonly state: WorkerConnectionState } | null;
  /** What a pass was shown last, and what it was made from. */
  observed: Observed | null;
}

interface Observed {
  readonly definition: WorkerDefinition;
  readonly metrics: Metrics;
  readonly observation: WorkerObservation;
}

interface ObservedNow {
  readonly liveness: WorkerLiveness;
  readonly directive: WorkerDirective | undefined;
  /** Monotonic milliseconds. */
  readonly now: number;
}

/** What a pass sees of a member: the same object until something in it changes, because small passes are frequent. */
export function observationOf(
  url: string,
  member: Member,
  { liveness, directive, now }: ObservedNow,
): WorkerObservation {
  const { commands, connection, definition, leavingSince, observed, streams } = member;
  const { current } = connection;
  const { reportsDue } = commands;
  const reported = streams.byId;
  const metrics = member.metrics.at(now);
  const cordoned = directive?.standing === 'cordoned';
  const drainSince =
    leavingSince ?? (directive?.standing === 'draining' ? Date.parse(directive.since) : undefined);
  if (observed?.metrics === metrics && observed.definition === definition) {
    const { observation: before } = observed;
    if (
      before.liveness === liveness &&
      before.current === current &&
      before.reported === reported &&
      before.reportsDue === reportsDue &&
      (before.cordoned ?? false) === cordoned &&
      before.drainSince === drainSince
    )
      return before;
  }
  const loaded = connection.lastReport?.loadedModels;
  const observation: WorkerObservation = {
    url,
    liveness,
    current,
    reported,
    reportsDue,
    capacity: definition.capacity,
    labels: definition.labels,
    ...(cordoned && { cordoned }),
    ...(drainSince !== undefined && { drainSince }),
    ...(loaded && { loadedModels: [...new Set(loaded.map(({ modelId }) => modelId))] }),
    ...metrics,
  };
  member.observed = { definition, metrics, observation };
  return observation;
}

interface Present {
  readonly processId: string;
  readonly liveness: WorkerLiveness;
  readonly standing: WorkerStanding;
  /** Why it is quarantined; null: it is not. */
  readonly quarantine: QuarantineReason | null;
  readonly excess: WorkerExcess | null;
}

const FLOODING = 'it sends more than the master accepts from one worker, so it gets no new subscriptions';

const NO_IDS: readonly string[] = Object.freeze([]);

/**
 * The state of a member for readers: the same object until something in it changes. Notes how many subscriptions its drain
 * began with.
 */
export function reportedState(
  url: string,
  member: Member,
  { processId, liveness: state, standing, quarantine, excess }: Present,
): WorkerConnectionState {
  const { connection, definition } = member;
  const { name } = definition;
  const report = isUp(state) ? connection.lastReport : null;
  const held = state === 'Offline' ? NO_IDS : member.streams.ids;
  member.drainTotal =
    standing === 'draining' ? Math.max(member.drainTotal ?? 0, member.streams.byId.size) : null;
  const hindrance = quarantine === 'flooding' ? FLOODING : standing === 'draining' ? member.stuck : null;
  const problem = isUp(state) ? hindrance : member.problem;
  const connectedAt = connection.open ? connection.connectedAt : '';
  const before = member.shown?.report === report ? member.shown.state : undefined;
  if (
    before?.state === state &&
    before.name === name &&
    before.subscriptions === held &&
    before.standing === standing &&
    before.problem === problem &&
    before.excess === excess &&
    before.drainTotal === member.drainTotal &&
    before.connectedAt === connectedAt &&
    before.lastHeartbeat === connection.lastReportTime
  )
    return before;
  const now = Object.freeze<WorkerConnectionState>({
    url,
    ...(name !== undefined && { name }),
    processId,
    online: isUp(state),
    state,
    problem,
    excess,
    standing,
    drainTotal: member.drainTotal,
    cpuUsage: report?.cpuUsage ?? null,
    memoryUsage: report?.memoryUsage ?? null,
    gpuUsage: report?.gpuUsage ?? null,
    gpuMemoryUsage: report?.gpuMemoryUsage ?? null,
    subscriptionCount: held.length,
    subscriptions: held,
    lastHeartbeat: connection.lastReportTime,
    connectedAt,
  });
  member.shown = { report, state: now };
  return now;
}

export const sameDetails = (a: WorkerDefinition, b: WorkerDefinition): boolean =>
  a.name === b.name && a.capacity === b.capacity && isDeepStrictEqual(a.labels, b.labels);

export const sameAccess = (a: WorkerDefinition, b: WorkerDefinition): boolean =>
  a.url === b.url && a.credentials === b.credentials && a.protocol === b.protocol;

/** It reports, whether or not it gets anything new. */
export const isUp = (state: WorkerLiveness): boolean => state === 'Ready' || state === 'Quarantined';

/** Why a worker does not count as up. */
export function lossOf({ current, lastReportAt }: DetectorConnection): string {
  if (lastReportAt === null) return 'it has not reported';
  if (!current) return 'its connection is closed';
  return `its last report came ${((performance.now() - lastReportAt) / 1_000).toFixed(1)} s ago`;
}
