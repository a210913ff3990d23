import type { SubscribeCommand, WorkerCommand } from '@detector-cluster/worker-protocol';
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { DetectorConnection, type CommandOutcome, type OnDetection } from './detector-connection.js';
import { DialLimiter } from './dial-limiter.js';
import { ExcessWatch } from './excess-watch.js';
import { FrameInbox } from './frame-inbox.js';
import type { LivenessLimits } from './liveness.js';
import type { WorkerConnectionState, WorkerExcess } from '../shared/cluster-state.js';
import type { WorkerLiveness, WorkerObservation } from '@detector-cluster/placement/internal';
import type { WorkerDirective } from './directive-store.js';
import type { WorkerDefinition } from './worker-definition.js';
import type { FlapWatch } from './flap-watch.js';
import type { FreezeWorker } from './network-freeze.js';
import { ReportedStreams } from './reported-streams.js';
import { WorkerCommands } from './worker-commands.js';
import type { WorkerLimits } from './worker-limits.js';
import { WorkerMetrics } from './worker-metrics.js';
import {
  isUp,
  lossOf,
  observationOf,
  reportedState,
  sameAccess,
  sameDetails,
  type Member,
  type WorkerPoolEvents,
} from './pool-member.js';

export interface WorkerPoolOptions {
  readonly workers: readonly WorkerDefinition[];
  readonly nodeId: string;
  readonly term: number;
  readonly mayAct: () => boolean;
  readonly limits: LivenessLimits;
  readonly flaps: FlapWatch;
  readonly budget: WorkerLimits;
  /** Gets every detection at once, with what {@link OnDetection} gets. */
  readonly onDetection: (worker: string, ...detection: Parameters<OnDetection>) => void;
  /** What a worker has sent beyond its budget; null: nothing. */
  readonly excessOf: (worker: string) => WorkerExcess | null;
}

/** Every worker connection of one master: what they report, and who is alive. Workers are named by their redacted URL. */
export class WorkerPool extends EventEmitter<WorkerPoolEvents> {
  private readonly members = new Map<string, Member>();
  private readonly flaps: FlapWatch;
  private directives: ReadonlyMap<string, WorkerDirective> = new Map();
  private readonly dialLimiter = new DialLimiter();
  private readonly inbox = new FrameInbox();
  private connections = 0;
  private started = false;
  private timer: NodeJS.Timeout | undefined;
  /** When {@link timer} fires. Monotonic milliseconds. */
  private armedFor = Number.POSITIVE_INFINITY;
  private startedAt = 0;

  constructor(private readonly options: WorkerPoolOptions) {
    super();
    this.flaps = options.flaps;
    for (const definition of options.workers) this.add(definition);
  }

  start(): void {
    this.started = true;
    this.startedAt = performance.now();
    for (const { connection } of this.members.values()) connection.initialize();
  }

  /** Which workers were online under the master before: they are dialled first. */
  expect(online: ReadonlyMap<string, boolean>): void {
    for (const [id, wasOnline] of online) {
      const member = this.members.get(id);
      if (member === undefined) continue;
      member.wasOnline = wasOnline;
      if (wasOnline) member.connection.expectAnswer();
    }
  }

  /** How far the drains had come under the master before: worker to {@link WorkerConnectionState.drainTotal}. */
  resumeDrains(totals: ReadonlyMap<string, number>): void {
    for (const [id, total] of totals) {
      const member = this.members.get(id);
      if (member !== undefined) member.drainTotal = total;
    }
  }

  /** Ids of the workers that it is connected to or tries to. */
  get ids(): string[] {
    return [...this.members.keys()];
  }

  /** Replaces the workers: connects to new ones, and drains those that are missing in the list. Returns the new ones. */
  setWorkers(definitions: readonly WorkerDefinition[]): string[] {
    const added: string[] = [];
    const wanted = new Set<string>();
    let changed = false;
    for (const definition of definitions) {
      const { id } = definition;
      wanted.add(id);
      const member = this.members.get(id);
      if (member !== undefined && sameAccess(member.definition, definition)) {
        changed ||= member.leavingSince !== null || !sameDetails(member.definition, definition);
        member.definition = definition;
        member.leavingSince = null;
        continue;
      }
      if (member === undefined) added.push(id);
      else member.connection.terminate();
      this.add(definition);
      changed = true;
    }
    for (const [id, member] of this.members) {
      if (wanted.has(id) || member.leavingSince !== null) continue;
      member.leavingSince = Date.now();
      changed = true;
    }
    if (changed) this.emit('change');
    return added;
  }

  /** Lets those go that are no longer configured and have nothing left, or cannot be reached. Returns whom. */
  letGo(): string[] {
    const now = performance.now();
    const gone: string[] = [];
    for (const [id, { leavingSince, connection, streams }] of this.members) {
      if (leavingSince === null) continue;
      const state = connection.state(now);
      const empty = connection.current && streams.byId.size === 0;
      if (!empty && state !== 'Offline' && state !== 'Connecting') continue;
      connection.terminate();
      this.members.delete(id);
      gone.push(id);
    }
    return gone;
  }

  /**
   * Whether every worker has reported once, or the master does not wait for it: it refused the connection (its host is up,
   * the worker is not), or its time is over.
   */
  settled(timeout: number, now = performance.now()): boolean {
    return now - this.startedAt >= timeout || this.awaited === 0;
  }

  /** What people call a worker; undefined: it has no name. */
  nameOf(worker: string): string | undefined {
    return this.members.get(worker)?.definition.name;
  }

  /** How many workers have neither reported nor refused the connection. */
  get awaited(): number {
    let awaited = 0;
    for (const { connection, refused } of this.members.values())
      if (connection.lastReportAt === null && !refused) awaited++;
    return awaited;
  }

  /** What operators want of the workers from now on. */
  direct(directives: ReadonlyMap<string, WorkerDirective>): void {
    const same = isDeepStrictEqual([...this.directives], [...directives]);
    this.directives = directives;
    if (!same) this.emit('change');
  }

  freezeFacts(now: number): FreezeWorker[] {
    return [...this.members].map(([url, member]) => ({
      liveness: this.livenessOf(url, member, now),
      refused: member.refused,
      known: member.wasOnline === true || member.connection.lastReportAt !== null,
    }));
  }

  observations(): WorkerObservation[] {
    const now = performance.now();
    const all: WorkerObservation[] = [];
    for (const [url, member] of this.members)
      all.push(
        observationOf(url, member, {
          liveness: this.livenessOf(url, member, now),
          directive: this.directives.get(url),
          now,
        }),
      );
    return all;
  }

  /** When a worker last reported a stream with a picture, wall clock, milliseconds; null unless its last report shows it so. */
  seenAt(worker: string, subscriptionIdentifier: string): number | null {
    return this.members.get(worker)?.streams.seenAt(subscriptionIdentifier) ?? null;
  }

  /**
   * Unchanged states are the same objects from call to call. A worker that does not report has no figures, and one that is offline has
   * no subscriptions: its last report says nothing about now.
   */
  *states(processId: string): Generator<WorkerConnectionState> {
    for (const [url, member] of this.members) {
      const now = performance.now();
      const liveness = this.livenessOf(url, member, now);
      const standing =
        member.leavingSince === null ? (this.directives.get(url)?.standing ?? 'open') : 'draining';
      const quarantine = liveness === 'Quarantined' ? this.flaps.reasonOf(url) : null;
      const excess = this.options.excessOf(url);
      yield reportedState(url, member, { processId, liveness, standing, quarantine, excess });
    }
  }

  /** @param drains worker → why its drain cannot proceed */
  showStuck(drains: ReadonlyMap<string, { readonly text: string }>): void {
    for (const [url, member] of this.members) member.stuck = drains.get(url)?.text ?? null;
  }

  /** As {@link DetectorConnection.send}, but subscribes and unsubscribes may wait for {@link flush}. */
  send(worker: string, command: WorkerCommand, outcome?: CommandOutcome): void {
    this.members.get(worker)?.commands.send(command, outcome);
  }

  /** Sends the lists of subscriptions that workers of protocol version 2 get instead of single commands. */
  flush(): void {
    for (const { commands } of this.members.values()) commands.flush();
  }

  /** See {@link WorkerCommands.unknown}. */
  unknownOf(worker: string): readonly string[] {
    return this.members.get(worker)?.commands.unknown ?? [];
  }

  /** See {@link WorkerCommands.learn}. */
  learn(worker: string, command: SubscribeCommand): void {
    this.members.get(worker)?.commands.learn(command);
  }

  /** Whether a subscribe was sent to a worker that no report proves to have been read. */
  hasUnconfirmed(worker: string): boolean {
    return this.members.get(worker)?.commands.hasUnconfirmed ?? false;
  }

  /** As {@link DetectorConnection.reply}. */
  reply(worker: string, answer: WorkerCommand): boolean {
    return this.members.get(worker)?.connection.reply(answer) ?? false;
  }

  isOpen(worker: string): boolean {
    return this.members.get(worker)?.connection.open ?? false;
  }

  /** Number of open sockets. */
  get open(): number {
    let open = 0;
    for (const { connection } of this.members.values()) if (connection.open) open++;
    return open;
  }

  /** Sends no more commands, keeps reading. Only detections and patches are passed on from now on. */
  release(): void {
    this.disarm();
    for (const { connection } of this.members.values()) connection.release();
  }

  /** After {@link release}: sends nothing more at all, see {@link DetectorConnection.fallSilent}. */
  fallSilent(): void {
    for (const { connection } of this.members.values()) connection.fallSilent();
  }

  /** Drops the socket to one worker. */
  drop(worker: string): void {
    this.members.get(worker)?.connection.terminate();
  }

  /** Drops every socket at once. */
  terminate(): void {
    this.disarm();
    for (const { connection } of this.members.values()) connection.terminate();
    this.removeAllListeners();
  }

  private add(definition: WorkerDefinition): void {
    const { nodeId, term, mayAct, limits, budget, onDetection } = this.options;
    const streams = new ReportedStreams();
    const connection = new DetectorConnection({
      url: definition.url,
      credentials: definition.credentials,
      lookup: definition.lookup,
      nodeId,
      term,
      mayAct,
      dialLimiter: this.dialLimiter,
      inbox: this.inbox,
      nextConnectionNumber: () => ++this.connections,
      onDetection: (...detection) => onDetection(definition.id, ...detection),
      limits,
      budget,
    });
    const member: Member = {
      definition,
      connection,
      leavingSince: null,
      metrics: new WorkerMetrics(),
      drainTotal: null,
      stuck: null,
      streams,
      commands: new WorkerCommands({
        connection,
        protocol: definition.protocol,
        reported: () => streams.byId,
        onDropped: () => this.emit('change'),
        onTooLong: (bytes) => this.listTooLong(definition.id, member, bytes),
      }),
      state: 'Connecting',
      refused: false,
      wasOnline: null,
      problem: null,
      excess: new ExcessWatch(),
      invalidKinds: new Set(),
      shown: null,
      observed: null,
    };
    this.members.set(definition.id, member);
    this.wire(definition.id, member);
    if (this.started) connection.initialize();
  }

  private wire(id: string, member: Member): void {
    const { connection } = member;
    // The time until a worker is given up begins with the first dial.
    connection.once('connecting', () => this.arm(id, member));
    connection.on('connecting', () => this.emit('worker:connecting', { url: id }));
    connection.on('open', () => {
      member.refused = false;
      member.problem = null;
      this.emit('worker:connected', { url: id });
    });
    connection.on('report', (report) => {
      member.metrics.add(report, performance.now());
      member.problem = null;
      const { before, changed, offline } = member.streams.note(report);
      if (offline.length > 0) this.emit('streams-offline', offline, before);
      const ids = [...changed, ...member.commands.countReport()];
      this.emit('worker:state_report', { url: id, report });
      if (this.refresh(id, member)) this.emit('change');
      else if (ids.length > 0) this.emit('streams', id, ids);
    });
    connection.on('patchSession', (message) => this.emit('patchSession', id, message));
    connection.on('invalid', (kind, detail, count) => {
      const isFirst = !member.invalidKinds.has(kind);
      member.invalidKinds.add(kind);
      member.problem = `${kind}: ${detail}`;
      this.emit('invalid', id, kind, detail, { count, isFirst });
    });
    connection.on('resumed', () => member.excess.lasted(performance.now()));
    connection.on('excess', (kind) => {
      this.emit('excess', id, kind);
      const now = performance.now();
      member.excess.note(now);
      if (!member.excess.persistsAt(now)) return;
      const flooding = () => [...this.members.values()].filter(({ excess }) => excess.persistsAt(now)).length;
      this.flaps.floods(id, Date.now(), this.members.size, flooding);
      if (this.refresh(id, member)) this.emit('change');
    });
    connection.on('disconnected', (reason) => {
      member.problem ??= reason;
      member.commands.disconnected();
      this.emit('worker:disconnected', { url: id, reason }, isUp(member.state));
      this.refresh(id, member);
      this.emit('change');
    });
    connection.on('socketError', (error, problem) => {
      member.problem = problem;
      const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (refused !== member.refused) {
        member.refused = refused;
        this.emit('change');
      }
      this.emit('worker:websocket_error', { url: id, error: error.message }, problem);
    });
  }

  private listTooLong(id: string, { invalidKinds }: Member, bytes: number): void {
    const kind = 'list-too-long';
    const isFirst = !invalidKinds.has(kind);
    invalidKinds.add(kind);
    this.emit('listTooLong', id, bytes, isFirst);
  }

  /** Notes and announces a change of liveness, and sets the timer for the next one again. */
  private refresh(id: string, member: Member): boolean {
    const before = member.state;
    const wasUp = isUp(before);
    const up = isUp(member.connection.state());
    if (wasUp && !up) this.flaps.lost(id, Date.now(), this.members.size);
    const state = this.livenessOf(id, member, performance.now());
    if (state === before) return false;
    member.state = state;
    if (state === 'Quarantined') {
      const reason = this.flaps.reasonOf(id);
      this.emit('worker:quarantined', { url: id, until: this.flaps.until(id), reason });
    }
    const known = before === 'Connecting' && member.wasOnline === up;
    if (up && !wasUp) this.emit('worker:online', { url: id }, known);
    else if (!up && (wasUp || (before === 'Connecting' && state === 'Offline')))
      this.emit('worker:offline', { url: id }, state, lossOf(member.connection), known);
    if (before === 'Suspect' && state === 'Offline') this.emit('worker:given-up', { url: id });
    this.arm(id, member);
    return true;
  }

  private livenessOf(url: string, { connection }: Member, now: number): WorkerLiveness {
    const state = connection.state(now);
    return state === 'Ready' && this.flaps.isQuarantined(url, Date.now()) ? 'Quarantined' : state;
  }

  /**
   * Has the members looked at when time alone changes the liveness of this one. Reports put that off, so the timer often fires too early and
   * is set again: to look for the next change at each report would cost a look at all members.
   */
  private arm(id: string, { connection, state }: Member): void {
    const now = performance.now();
    let next = connection.nextStateChange(now) ?? Number.POSITIVE_INFINITY;
    if (state === 'Quarantined') next = Math.min(next, now + Math.max(0, this.flaps.until(id) - Date.now()));
    if (next >= this.armedFor) return;
    clearTimeout(this.timer);
    this.armedFor = next;
    this.timer = setTimeout(() => this.lookAtAll(), Math.max(1, Math.ceil(next - now)));
  }

  private disarm(): void {
    clearTimeout(this.timer);
  }

  private lookAtAll(): void {
    this.armedFor = Number.POSITIVE_INFINITY;
    let changed = false;
    for (const [id, member] of this.members) {
      if (this.refresh(id, member)) changed = true;
      else this.arm(id, member);
    }
    if (changed) this.emit('change');
  }
}
