import {
  BOOT_HEADER,
  encodeCommand,
  type CameraConnection,
  type ImageDetectionMessage,
  parseWorkerMessage,
  type PatchSessionMessage,
  type StateReportMessage,
  type SubscribePayload,
  type WorkerCommand,
  type WorkerMessage,
} from '@detector-cluster/worker-protocol';
import { WebSocket } from 'ws';
import { demand } from '../check.js';
import type { Limits } from '../limits.js';
import { PatientTimer } from './patient-timer.js';
import { until } from './waits.js';

/** Between two requests for a report. Milliseconds. */
const ASK_EVERY = 200;

export interface DialOptions {
  /** Null: no header. */
  readonly term: number | string | null;
  /** Whether it says that it confirms detections. */
  readonly confirms?: boolean;
  /** Whether it confirms each detection at once. */
  readonly accepts?: boolean;
  readonly authorization?: string | undefined;
}

/** What arrived, as it was. */
export interface Frame {
  readonly text: string;
  readonly bytes: number;
  readonly binary: boolean;
}

/** A master's side of one connection. It keeps everything that the worker sends. */
export class MasterConnection {
  readonly frames: Frame[] = [];
  /** Frames that are no valid messages, and why. */
  readonly invalid: string[] = [];
  readonly reports: StateReportMessage[] = [];
  readonly detections: ImageDetectionMessage[] = [];
  /** The frames of {@link detections}. */
  readonly detectionFrames: Frame[] = [];
  readonly patches: PatchSessionMessage[] = [];
  /** HTTP status of an upgrade that was refused. */
  refused: number | undefined;
  closed: { readonly code: number; readonly reason: string } | undefined;
  /** Announced by a worker that numbers its detections. */
  boot: string | undefined;
  pongs = 0;
  /** Address of this side, as in a URL. */
  localHost = '';
  failure = '';
  private wanted: readonly SubscribePayload[] = [];
  private readonly accepts: boolean;
  readonly socket: WebSocket;

  constructor(
    url: string,
    { accepts = true, authorization, confirms = true, term }: DialOptions,
    readonly version: 'v1' | 'v2',
    readonly limits: Limits,
  ) {
    this.accepts = accepts && confirms;
    this.socket = new WebSocket(url, {
      perMessageDeflate: true,
      headers: {
        ...(term !== null && { 'X-Detector-Term': String(term), 'X-Detector-Master': 'worker-conformance' }),
        ...(confirms && { 'X-Detector-Confirms': '1' }),
        ...(authorization !== undefined && { Authorization: authorization }),
      },
    });
    this.socket.on('upgrade', ({ headers, socket }) => {
      this.boot = headers[BOOT_HEADER] as string | undefined;
      this.localHost = hostOf(socket.localAddress ?? '');
    });
    this.socket.on('message', (raw: Buffer, binary) => this.receive(raw, binary));
    this.socket.on('pong', () => this.pongs++);
    this.socket.on('close', (code, reason) => (this.closed = { code, reason: String(reason) }));
    this.socket.on('unexpected-response', (request, response) => {
      this.refused = response.statusCode!;
      this.localHost = hostOf(response.socket.localAddress ?? '');
      request.destroy();
    });
    this.socket.on('error', ({ message }) => (this.failure = message));
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Waits until the upgrade has succeeded or failed. */
  async settled(): Promise<this> {
    const done = () => this.isOpen || this.refused !== undefined || this.closed !== undefined;
    await until('an answer to the upgrade', this.limits.patience, done);
    return this;
  }

  send(...commands: readonly WorkerCommand[]): void {
    for (const command of commands) this.socket.send(encodeCommand(command));
  }

  /** Confirms detections up to this number. */
  accept(boot: string, upTo: number): void {
    if (this.isOpen) this.send({ type: 'detectionsAccepted', payload: { boot, upTo } });
  }

  /** Waits until the worker has read all that was sent before, which must not close the connection. */
  async read(sent = 'what was sent'): Promise<void> {
    const before = this.pongs;
    this.socket.ping();
    const done = () => this.pongs > before || this.closed !== undefined;
    await until('a pong', this.limits.patience, done);
    demand(this.closed === undefined, `the connection was closed with ${this.closed?.code} after ${sent}`);
  }

  /** Makes these the subscriptions of the worker, and sends those again that it holds. */
  want(...subscriptions: readonly SubscribePayload[]): void {
    if (this.version === 'v2')
      this.send({ type: 'setSubscriptionList', payload: { subscriptions: [...subscriptions] } });
    else {
      const wanted = new Set(subscriptions.map(({ subscriptionIdentifier }) => subscriptionIdentifier));
      const held = [...this.wanted, ...(this.reports.at(-1)?.cameraConnections ?? [])];
      for (const subscriptionIdentifier of new Set(held.map((each) => each.subscriptionIdentifier)))
        if (!wanted.has(subscriptionIdentifier))
          this.send({ type: 'unsubscribe', payload: { subscriptionIdentifier } });
      for (const payload of subscriptions) this.send({ type: 'subscribe', payload });
    }
    this.wanted = subscriptions;
  }

  /** Asks for reports until one of them fits. */
  async report(what: string, fits: (report: StateReportMessage) => boolean): Promise<StateReportMessage> {
    const before = this.reports.length;
    const timer = new PatientTimer();
    let asked = -ASK_EVERY;
    const missing = () => `${what}; the last one lists ${this.lastListed()}`;
    return until(missing, this.limits.patience, async () => {
      if (timer.elapsed - asked >= ASK_EVERY && this.isOpen) {
        asked = timer.elapsed;
        this.send({ type: 'requestState' });
      }
      await timer.step();
      const last = this.reports.at(-1);
      return this.reports.length > before && last !== undefined && fits(last) && last;
    });
  }

  private lastListed(): string {
    const rows = this.reports.at(-1)?.cameraConnections ?? [];
    if (rows.length === 0) return 'nothing';
    const [first] = rows;
    return `${rows.length} subscriptions, first ${first!.subscriptionIdentifier} with online ${first!.online}`;
  }

  /** Asks for reports until the row of this subscription fits. */
  async row(
    what: string,
    { subscriptionIdentifier: id }: Pick<SubscribePayload, 'subscriptionIdentifier'>,
    fits: (row: CameraConnection) => boolean = () => true,
  ): Promise<CameraConnection> {
    const find = ({ cameraConnections }: StateReportMessage) =>
      cameraConnections.find(({ subscriptionIdentifier }) => subscriptionIdentifier === id);
    const found = (report: StateReportMessage) => {
      const row = find(report);
      return row !== undefined && fits(row);
    };
    return find(await this.report(`a state report in which ${id} is ${what}`, found))!;
  }

  /** Identifiers in a report for which was asked after all earlier commands. */
  async held(...expected: readonly Pick<SubscribePayload, 'subscriptionIdentifier'>[]): Promise<void> {
    const ids = expected.map(({ subscriptionIdentifier }) => subscriptionIdentifier).sort();
    await this.report(
      `a state report with ${ids.length === 0 ? 'no subscription' : `exactly ${ids.join(' and ')}`}`,
      ({ cameraConnections }) =>
        cameraConnections
          .map(({ subscriptionIdentifier }) => subscriptionIdentifier)
          .sort()
          .join('\n') === ids.join('\n'),
    );
  }

  detectionsOf({
    subscriptionIdentifier: id,
  }: Pick<SubscribePayload, 'subscriptionIdentifier'>): ImageDetectionMessage[] {
    return this.detections.filter(({ subscriptionIdentifier }) => subscriptionIdentifier === id);
  }

  /** Waits for a detection of this subscription, later than those that there are. */
  async detection(
    of: Pick<SubscribePayload, 'subscriptionIdentifier'>,
    fits: (detection: ImageDetectionMessage) => boolean = () => true,
    what = 'a detection',
  ): Promise<ImageDetectionMessage> {
    const before = this.detections.length;
    return until(`${what} of ${of.subscriptionIdentifier}`, this.limits.patience, () =>
      this.detections
        .slice(before)
        .find((each) => each.subscriptionIdentifier === of.subscriptionIdentifier && fits(each)),
    );
  }

  private receive(raw: Buffer, binary: boolean): void {
    const frame = { text: raw.toString(), bytes: raw.length, binary };
    this.frames.push(frame);
    const result = parseWorkerMessage(raw);
    if (!result.ok) this.invalid.push(`${result.kind}: ${result.detail}`);
    else {
      if (result.ignored !== undefined) this.invalid.push(result.ignored);
      this.keep(result.message, frame);
    }
  }

  private keep(message: WorkerMessage, frame: Frame): void {
    if (message.type === 'stateReport') this.reports.push(message);
    else if (message.type === 'patchSession') this.patches.push(message);
    else {
      this.detections.push(message);
      this.detectionFrames.push(frame);
      if (this.accepts && message.boot !== undefined && message.seq !== undefined)
        this.accept(message.boot, message.seq);
    }
  }
}

/** An address as the host of a URL. */
function hostOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:/, '');
  return ipv4.includes(':') ? `[${ipv4}]` : ipv4;
}
