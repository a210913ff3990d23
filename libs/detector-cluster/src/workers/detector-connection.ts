import { EventEmitter } from 'node:events';
import type { LookupFunction } from 'node:net';
import {
  BOOT_HEADER,
  BOOT_PATTERN,
  CONFIRMS_HEADER,
  encodeCommand,
  MAX_FRAME_BYTES,
  parseWorkerMessage,
  type ImageDetectionMessage,
  type PatchSessionMessage,
  type StateReportMessage,
  type WorkerCommand,
} from '@detector-cluster/worker-protocol';
import { WorkerMessageReader } from '@detector-cluster/worker-protocol/internal';
import { WebSocket, type RawData } from 'ws';
import type { WorkerLiveness } from '@detector-cluster/placement/internal';
import { fullJitter } from '../shared/intervals.js';
import { CommandQueue } from './command-queue.js';
import { DetectionReceipts } from './detection-receipts.js';
import { dialProblem } from './dial-problem.js';
import type { DialLimiter } from './dial-limiter.js';
import type { FrameInbox } from './frame-inbox.js';
import type { FrameLane } from './frame-lane.js';
import { liveness, nextLivenessChange, type LivenessFacts, type LivenessLimits } from './liveness.js';
import { RateLimit } from './rate-limit.js';
import type { WorkerCredentials } from './worker-credentials.js';
import { defaultWorkerLimits, type WorkerLimits } from './worker-limits.js';

/** The document's heartbeat limits. */
const defaultLimits: LivenessLimits = { silence: 10_000, eviction: 15_000 };

/** A frame above the protocol's limit is counted and dropped; only one beyond this closes the connection. */
const HARD_PAYLOAD_LIMIT = 16 * 1024 * 1024;
/** Bytes of the shortest message that a worker can send. */
const MIN_MESSAGE_BYTES = '{"type":"patchSession","sessionId":0}'.length;
const DIAL_TIMEOUT = 3_000;
const REPORT = Buffer.from('"stateReport"');
/** Detections do not wait for the frames of other workers. */
const DETECTION = Buffer.from('"imageDetection"');
/** A host that has neither answered nor refused within this time is silent: it is dialled after others. */
const SILENT_AFTER = 1_000;
/** Code of a WebSocket that ended without a closing frame. */
const BROKEN = 1006;

/**
 * `frame` holds the bytes as received. `id` is `<boot>-<seq>` with `onSettled`, to be called when no later master needs the detection;
 * for a worker that does not number its detections it is `<term>-<connection>-<sequence>`.
 */
export type OnDetection = (
  message: ImageDetectionMessage,
  frame: Buffer,
  id: string,
  onSettled?: () => void,
) => void;

export interface DetectorConnectionOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  /** Default none. */
  readonly credentials?: WorkerCredentials | undefined;
  /** Default `dns.lookup`. */
  readonly lookup?: LookupFunction | undefined;
  /** Sent as `X-Detector-Master`. */
  readonly nodeId: string;
  /** Sent as `X-Detector-Term`: workers refuse older masters by it. */
  readonly term: number;
  /** Asked immediately before every write to the socket. */
  readonly mayAct: () => boolean;
  readonly dialLimiter: DialLimiter;
  /** Shared by all connections of a process. */
  readonly inbox: FrameInbox;
  /** Number for the next connection, unique within the term: part of the ids of its detections. */
  readonly nextConnectionNumber: () => number;
  /** Gets every detection at once, also after {@link DetectorConnection.release}. */
  readonly onDetection: OnDetection;
  readonly limits?: LivenessLimits;
  /** Default: those of the options. */
  readonly budget?: WorkerLimits;
  readonly random?: () => number;
}

/** Callbacks for the outcome of a command. At most one of them is called, and none if the connection ends first. */
export interface CommandOutcome {
  /** It was written to the socket. */
  readonly written?: () => void;
  /** It could not be written in time. */
  readonly dropped?: () => void;
}

/** Events of a worker connection. */
export interface DetectorConnectionEvents {
  connecting: [];
  /** The socket is open; the worker is not ready before its first report. */
  open: [];
  report: [report: StateReportMessage];
  patchSession: [message: PatchSessionMessage];
  /** Frames that violate the protocol. The connection stays open. */
  invalid: [kind: string, detail: string, count: number];
  /** The worker sends more than its budget allows. `unread`: its socket was paused. `rate`: a detection was dropped. */
  excess: [kind: 'unread' | 'rate'];
  /** Its socket is read again. */
  resumed: [];
  disconnected: [reason: string];
  /** `problem`: why there is no connection, for people. */
  socketError: [error: Error, problem: string];
}

/**
 * The socket to one worker: dials, redials with backoff, speaks the protocol, and keeps what the worker last reported.
 * It decides nothing; the master does.
 */
export class DetectorConnection extends EventEmitter<DetectorConnectionEvents> {
  readonly url: string;
  lastReport: StateReportMessage | null = null;
  /** Monotonic milliseconds of {@link lastReport}. */
  lastReportAt: number | null = null;
  /** Time of {@link lastReport}, ISO 8601; empty before the first. */
  lastReportTime = '';
  /** Start of the current or last connection, ISO 8601; empty before the first. */
  connectedAt = '';
  invalidFrames = 0;

  private readonly limits: LivenessLimits;
  /** When it was dialled first. */
  private since: number | null = null;
  /** Whether it answered, or refused at once, when it was dialled last. */
  private answered = false;
  private lostAt: number | null = null;
  private socket: WebSocket | null = null;
  private connectionNumber = 0;
  /** The beginning of the ids of this connection's detections. */
  private idPrefix = '';
  private sequence = 0;
  /** Null if the worker at the other end does not number its detections. */
  private receipts: DetectionReceipts | null = null;
  private attempt = 0;
  private redial: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;
  private phase: 'running' | 'releasing' | 'silent' | 'closed' = 'running';
  /** Frames that were written to the socket, and how many of them the worker has certainly read. */
  private written = 0;
  private writtenAndRead = 0;
  private readonly commands: CommandQueue;
  private readonly reader = new WorkerMessageReader();
  private readonly lane: FrameLane;
  private readonly budget: WorkerLimits;
  private readonly rate: RateLimit | null;
  /** Since when the worker could have reported: its last report on this connection, or the opening. Monotonic milliseconds. */
  private heardAt = 0;
  /** `behindFor` of the lane at {@link heardAt}. */
  private behindBefore = 0;
  private unreadReports = 0;
  /** Frames of the present turn that are too short for a message. */
  private tooShort = 0;

  constructor(private readonly options: DetectorConnectionOptions) {
    super();
    this.url = options.url;
    this.limits = options.limits ?? defaultLimits;
    this.commands = new CommandQueue({
      socket: () => this.socket,
      mayAct: options.mayAct,
      write: (text, done) => this.write(text, done),
    });
    this.budget = options.budget ?? defaultWorkerLimits;
    const { detectionsPerSecond, unreadBytes, unreadFrames } = this.budget;
    this.rate = detectionsPerSecond === null ? null : new RateLimit(detectionsPerSecond);
    this.lane = options.inbox.lane({
      limits: { bytes: unreadBytes, frames: unreadFrames },
      onFull: () => {
        this.socket?.pause();
        this.emit('excess', 'unread');
      },
      onRoom: () => {
        this.socket?.resume();
        this.emit('resumed');
      },
    });
  }

  /** The worker was online under the previous master, so it is dialled before others. */
  expectAnswer(): void {
    this.answered = true;
  }

  /** Starts dialling; returns at once. */
  initialize(): void {
    void this.connect();
  }

  /** Liveness by the reports so far. */
  state(now = performance.now()): WorkerLiveness {
    return liveness(this.facts(), this.limits, now);
  }

  nextStateChange(now = performance.now()): number | null {
    return nextLivenessChange(this.facts(), this.limits, now);
  }

  /** Whether the worker has reported over the connection that is open now. */
  get current(): boolean {
    return this.socket?.readyState === WebSocket.OPEN && this.lostAt === null && this.lastReportAt !== null;
  }

  /**
   * Sends a command, in order. Nothing leaves unless this process may act at that instant and the socket has taken all
   * that was written before; until then it waits for up to 3 s. The first on every connection is the request for the worker's
   * state. A command that waits when the connection ends goes with it. Returns false when nothing is sent any more.
   */
  send(command: WorkerCommand, outcome: CommandOutcome = {}): boolean {
    if (this.phase !== 'running') return false;
    this.commands.add(command, outcome);
    this.commands.flush();
    return true;
  }

  /**
   * Answers a request of the worker, also after {@link release}, because the answer is still valid under the next master. It is lost if
   * the connection is lost. Returns whether the connection was open.
   */
  reply(command: WorkerCommand): boolean {
    if (this.phase === 'silent' || this.phase === 'closed' || !this.open) return false;
    this.write(encodeCommand(command));
    return true;
  }

  /**
   * Sends no more commands and never redials, but reads until the worker or {@link terminate} closes the socket. Only detections
   * and patches are passed on: for everything else the connection is over.
   */
  release(): void {
    if (this.phase === 'closed') return;
    this.phase = 'releasing';
    this.clearTimers();
    this.commands.clear();
    for (const event of this.eventNames()) if (event !== 'patchSession') this.removeAllListeners(event);
    if (this.socket?.readyState !== WebSocket.OPEN) this.terminate();
  }

  /**
   * After {@link release}: sends nothing more at all, and takes no patches, which it could not answer. Drops the socket if the worker may
   * not have read everything that was written to it: a network that heals would deliver that after the commands of a successor.
   */
  fallSilent(): void {
    if (this.phase === 'closed') return;
    this.phase = 'silent';
    this.receipts?.close();
    this.removeAllListeners('patchSession');
    if (!this.allRead) this.terminate();
  }

  /** Drops the socket at once, without a closing handshake. Nothing is emitted or passed on any more. Idempotent. */
  terminate(): void {
    this.phase = 'closed';
    this.clearTimers();
    this.commands.clear();
    this.receipts?.close();
    this.removeAllListeners();
    this.lane.clear();
    this.socket?.terminate();
  }

  /** How many state reports were received that are not read yet. */
  get unread(): number {
    return this.unreadReports;
  }

  /** Bytes of frames that were received and are not read yet. */
  get unreadBytes(): number {
    return this.lane.bytes;
  }

  /** Whether the worker has shown that it has read everything that was written to the socket. */
  get allRead(): boolean {
    return this.writtenAndRead === this.written;
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private facts(): LivenessFacts {
    return {
      since: this.since,
      lastReportAt: this.lastReportAt,
      lostAt: this.lostAt,
      behind: this.behind,
    };
  }

  /**
   * How long frames of the worker have waited for this process since its last report, which may be among them. It counts up to the limit
   * of silence, so that a worker whose frames always wait is given up all the same. Milliseconds.
   */
  private get behind(): number {
    return Math.min(this.lane.behindFor() - this.behindBefore, this.limits.silence);
  }

  private heard(): void {
    this.heardAt = performance.now();
    this.behindBefore = this.lane.behindFor();
  }

  private clearTimers(): void {
    clearTimeout(this.redial);
    this.stopWatching();
  }

  private async connect(): Promise<void> {
    const release = await this.options.dialLimiter.acquire(this.answered);
    if (this.phase !== 'running') return release();
    this.since ??= performance.now();
    const dialledAt = performance.now();
    this.emit('connecting');
    let socket: WebSocket;
    let accepted = false;
    try {
      const { headers, ...tls } = this.options.credentials?.request() ?? {};
      socket = new WebSocket(this.url, {
        ...tls,
        lookup: this.options.lookup,
        headers: {
          ...headers,
          'x-detector-term': String(this.options.term),
          'x-detector-master': this.options.nodeId,
          [CONFIRMS_HEADER]: '1',
        },
        handshakeTimeout: DIAL_TIMEOUT,
        finishRequest: (request) => {
          request.once('socket', (stream) => stream.once('connect', () => (accepted = true)));
          request.end();
        },
        maxPayload: HARD_PAYLOAD_LIMIT,
        perMessageDeflate: false,
      });
    } catch (error) {
      release();
      this.emit('socketError', error as Error, dialProblem(error as Error, false));
      return this.scheduleRedial();
    }
    this.socket = socket;
    this.written = 0;
    this.writtenAndRead = 0;
    this.receipts = null;
    let opened = false;
    socket.on('upgrade', ({ headers }) => this.openReceipts(socket, headers[BOOT_HEADER]));
    socket.on('open', () => {
      opened = true;
      release();
      this.onOpen();
    });
    socket.on('message', (data) => this.onMessage(data));
    socket.on('pong', (data) => (this.writtenAndRead = Number(data.toString())));
    socket.on('error', (error) => {
      if (this.phase !== 'closed') this.emit('socketError', error, dialProblem(error, accepted));
    });
    socket.on('close', (code, reason) => {
      release();
      if (!opened) this.answered = performance.now() - dialledAt < SILENT_AFTER;
      const text = reason.toString();
      // Its frames that wait are read before.
      this.lane.take(0, () => this.onClose(code, this.options.credentials?.redact(text) ?? text));
    });
  }

  /** A ping follows the last frame that waits. A worker reads frames in order, so its pong shows that it has read those before. */
  private write(text: string, done?: (error?: Error | null) => void): void {
    const socket = this.socket!;
    const frame = ++this.written;
    socket.send(text, (error) => {
      done?.(error);
      if (frame === this.written && socket === this.socket) socket.ping(String(frame));
    });
  }

  /**
   * Confirmations are not among the frames of {@link allRead}: one that a worker reads late is still true. Each says all that the ones
   * before said, so none waits for room on the socket.
   */
  private openReceipts(socket: WebSocket, boot: string | string[] | undefined): void {
    if (boot === undefined) return;
    if (typeof boot !== 'string' || !BOOT_PATTERN.test(boot))
      return this.invalid('invalid-boot', 'X-Detector-Boot: must be 8 to 32 letters and digits');
    this.receipts = new DetectionReceipts(boot, (command) => {
      if (socket.bufferedAmount > 0) return false;
      socket.send(encodeCommand(command));
      return true;
    });
  }

  private onOpen(): void {
    this.connectionNumber = this.options.nextConnectionNumber();
    this.idPrefix = `${this.options.term}-${this.connectionNumber}-`;
    this.sequence = 0;
    this.connectedAt = new Date().toISOString();
    this.answered = true;
    this.heard();
    if (this.phase === 'running') {
      this.watchSilence();
      // Goes before all commands that were sent while the socket was being opened.
      this.commands.addFirst({ type: 'requestState' });
    }
    this.emit('open');
    this.commands.flush();
  }

  private onMessage(data: RawData): void {
    if (this.phase === 'closed') return;
    if (Buffer.isBuffer(data) && data.length < MIN_MESSAGE_BYTES) {
      // One read of the socket can bring 20,000 of them, before a pause has an effect.
      if (this.tooShort++ === 0) process.nextTick(() => this.takeShort());
      return;
    }
    const frame = Array.isArray(data)
      ? Buffer.concat(data)
      : Buffer.isBuffer(data)
        ? data
        : Buffer.from(data);
    if (frame.length > MAX_FRAME_BYTES) {
      // The frame is refused whatever it says, so it does not stay in memory.
      const { length } = frame;
      this.lane.take(length, () => this.invalid('too-large', `${length} bytes, at most ${MAX_FRAME_BYTES}`));
      return;
    }
    const isReport = frame.includes(REPORT);
    if (isReport) this.unreadReports++;
    const read = () => {
      if (isReport) this.unreadReports--;
      this.read(frame, isReport);
    };
    this.lane.take(frame.length, read, { isUrgent: !isReport && frame.includes(DETECTION) });
  }

  private takeShort(): void {
    const frames = this.tooShort;
    this.tooShort = 0;
    if (this.phase === 'closed') return;
    const detail = `shorter than any message (${MIN_MESSAGE_BYTES} bytes)`;
    this.lane.take(0, () => this.invalid('too-short', detail, frames), { frames });
  }

  private detected(message: ImageDetectionMessage, frame: Buffer): void {
    const { detectionBytes } = this.budget;
    const numbered = this.receipts?.take(message);
    if (typeof numbered === 'string') return this.invalid('invalid-imageDetection', numbered);
    if (frame.length > detectionBytes) {
      this.invalid(
        'detection-too-large',
        `a detection of ${frame.length} bytes; at most ${detectionBytes} are accepted (option workerLimits.detectionBytes)`,
      );
      numbered?.onSettled();
      return;
    }
    if (this.rate !== null && !this.rate.take(performance.now())) {
      this.emit('excess', 'rate');
      numbered?.onSettled();
      return;
    }
    if (numbered === undefined)
      this.options.onDetection(message, frame, `${this.idPrefix}${++this.sequence}`);
    else this.options.onDetection(message, frame, numbered.id, numbered.onSettled);
  }

  private invalid(kind: string, detail: string, count = 1): void {
    this.invalidFrames += count;
    this.emit('invalid', kind, detail, count);
  }

  private read(frame: Buffer, isReport: boolean): void {
    if (this.phase === 'closed') return;
    // Only reports have the list that the reader remembers, and looks for.
    const parsed = isReport ? this.reader.read(frame) : parseWorkerMessage(frame);
    if (!parsed.ok) return this.invalid(parsed.kind, parsed.detail);
    const { ignored, message } = parsed;
    if (ignored !== undefined) this.invalid('invalid-field', ignored);
    switch (message.type) {
      case 'imageDetection':
        this.detected(message, frame);
        break;
      case 'stateReport':
        this.lastReport = message;
        this.lastReportAt = performance.now();
        this.lastReportTime = new Date().toISOString();
        this.lostAt = null;
        this.attempt = 0;
        this.heard();
        if (this.phase === 'running') this.watchSilence();
        this.emit('report', message);
        break;
      case 'patchSession':
        this.emit('patchSession', message);
        break;
    }
  }

  private onClose(code: number, reason: string): void {
    const wasOpen = this.socket !== null && this.connectionNumber !== 0;
    this.socket = null;
    this.receipts?.close();
    this.stopWatching();
    this.commands.clear();
    if (this.phase === 'closed') return;
    if (wasOpen && this.lostAt === null && this.lastReportAt !== null) this.lostAt = performance.now();
    this.emit('disconnected', this.endText(code, reason));
    this.scheduleRedial();
  }

  private endText(code: number, reason: string): string {
    const { heardAt, limits } = this;
    if (heardAt > 0 && performance.now() >= heardAt + limits.silence + this.behind)
      return `no report for ${limits.silence / 1_000} s`;
    if (code === BROKEN) return 'the connection broke';
    return reason === '' ? `closed with code ${code}` : `closed with code ${code}: ${reason}`;
  }

  private scheduleRedial(): void {
    if (this.phase !== 'running') return;
    clearTimeout(this.redial);
    this.redial = setTimeout(() => void this.connect(), fullJitter(this.attempt++, {}, this.options.random));
  }

  /** A socket that is open and silent for too long is given up: a half-open connection shows no other sign. */
  private watchSilence(): void {
    if (this.silence === undefined) this.awaitReport(this.limits.silence);
    else this.silence.refresh();
  }

  private awaitReport(ms: number): void {
    this.silence = setTimeout(() => {
      const left = this.heardAt + this.limits.silence + this.behind - performance.now();
      if (left > 0) this.awaitReport(left);
      else this.socket?.terminate();
    }, ms);
  }

  private stopWatching(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }
}
