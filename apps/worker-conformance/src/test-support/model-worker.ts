import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  MAX_FRAME_BYTES,
  parseWorkerCommand,
  type SubscribePayload,
} from '@detector-cluster/worker-protocol';
import { grayJpeg } from '@detector-cluster/worker-protocol/internal';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Defect } from './defects.js';
import { ModelCamera } from './model-camera.js';
import { ModelFiles } from './model-files.js';

export interface ModelWorkerOptions {
  readonly defect?: Defect | undefined;
  readonly reportInterval: number;
  readonly linger: number;
  readonly token?: string;
}

interface Master {
  readonly socket: WebSocket;
  readonly term: number;
  readonly confirms: boolean;
  /** Last number that was written to it. */
  written: number;
}

const DETECT_EVERY = 50;
const PATCH_EVERY = 50;
const PICTURE = grayJpeg([[128]], 'a picture');

/** Opens with this many connections at most, as the defect has it. */
const FEW = 5;

/** A worker that keeps all rules, but for at most one defect. */
export class ModelWorker {
  readonly log: string[] = ['started'];
  private readonly boot = randomBytes(8).toString('hex');
  private readonly masters: Master[] = [];
  private readonly held = new Map<string, SubscribePayload>();
  private readonly cameras = new Map<string, ModelCamera>();
  private readonly files: ModelFiles;
  private readonly sessions = new Map<string, number>();
  private readonly patched = new Set<number>();
  private readonly sequences = new Map<string, number>();
  private readonly kept: { seq: number; frame: string | Buffer }[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly sockets: WebSocketServer;
  private readonly server: Server;
  private seq = 0;
  /** A command that waits for the next one, as the defect has it. */
  private heldBack: (() => void) | undefined;
  private highest = 0;
  private stopping = false;
  private lingering: NodeJS.Timeout | undefined;

  private constructor(private readonly options: ModelWorkerOptions) {
    this.files = new ModelFiles((defect) => this.has(defect));
    this.sockets = new WebSocketServer({
      noServer: true,
      maxPayload: this.has('small-frames') ? 65_536 : MAX_FRAME_BYTES,
      perMessageDeflate: this.has('compresses'),
      autoPong: !this.has('no-pong'),
    });
    this.sockets.on('headers', (headers) => {
      const boot = this.has('boot-per-connection') ? randomBytes(8).toString('hex') : this.boot;
      if (!this.has('no-boot')) headers.push(`X-Detector-Boot: ${this.has('short-boot') ? 'x' : boot}`);
    });
    this.server = createServer((request, response) => this.image(request, response));
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    const every = (interval: number, action: () => void) => this.timers.push(setInterval(action, interval));
    every(options.reportInterval, () => this.regularReports());
    every(DETECT_EVERY, () => this.detect());
    every(PATCH_EVERY, () => this.patch());
  }

  static async start(options: ModelWorkerOptions): Promise<ModelWorker> {
    const worker = new ModelWorker(options);
    await once(worker.server.listen(0, '127.0.0.1'), 'listening');
    return worker;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** As after SIGTERM. */
  terminate(): void {
    this.stopping = !this.has('takes-new-masters');
    for (const { socket } of this.masters) {
      if (this.has('silent-exit')) socket.terminate();
      else socket.close(1001);
    }
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    clearTimeout(this.lingering);
    this.replaceAll([]);
    this.files.stop();
    for (const { socket } of this.masters) socket.terminate();
    this.server.closeAllConnections();
    this.server.close();
  }

  private has(defect: Defect): boolean {
    return this.options.defect === defect;
  }

  private permits({ headers }: IncomingMessage, defect: Defect): boolean {
    const { token } = this.options;
    return token === undefined || headers.authorization === `Bearer ${token}` || this.has(defect);
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: number) => socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`);
    socket.on('error', () => undefined);
    const header = request.headers['x-detector-term'] as string | undefined;
    const missing = header === undefined;
    const term = this.has('any-term') ? Number.parseInt(header ?? '0', 10) || 0 : Number(header ?? '0');
    if (this.stopping) return void refuse(503);
    if (!this.permits(request, 'no-token')) return void refuse(401);
    if (this.has('refuses-terms') && !missing) return void refuse(400);
    if (this.has('needs-term') && missing) return void refuse(400);
    if (!this.has('any-term') && !/^\d{1,16}$/.test(header ?? '0')) return void refuse(400);
    const highest = this.has('forgets-term') && this.masters.length === 0 ? 0 : this.highest;
    const known = this.has('rounded-terms') ? Math.fround(term) >= Math.fround(highest) : term >= highest;
    if (!known && !this.has('no-fencing') && !(this.has('missing-term-admitted') && missing))
      return void refuse(409);
    if (this.has('few-connections') && this.masters.length >= FEW) return void refuse(503);
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      this.connected({
        socket: ws,
        term,
        confirms: request.headers['x-detector-confirms'] === '1',
        written: 0,
      });
    });
  }

  private connected(master: Master): void {
    const { socket, term } = master;
    clearTimeout(this.lingering);
    this.masters.push(master);
    this.highest = Math.max(this.highest, term);
    socket.on('error', () => undefined);
    socket.on('message', (raw: Buffer, binary) => this.receive(master, raw, binary));
    socket.on('close', () => this.disconnected(master));
    for (const other of this.masters)
      if (other.term < this.highest || (this.has('one-per-term') && other !== master)) {
        if (this.has('keeps-superseded')) continue;
        other.socket.close(this.has('closes-with-1000') ? 1000 : 4409);
      }
    if (this.has('restarts-for-master')) for (const camera of this.cameras.values()) camera.restart();
    if (!this.has('no-first-report')) this.report(master);
    this.flush();
  }

  private disconnected(master: Master): void {
    this.masters.splice(this.masters.indexOf(master), 1);
    if (this.masters.length > 0) return;
    if (this.has('drops-at-once')) this.replaceAll([]);
    else if (!this.has('keeps-for-ever'))
      this.lingering = setTimeout(() => this.replaceAll([]), this.options.linger);
  }

  private receive(master: Master, raw: Buffer, binary: boolean): void {
    if (master.term < this.highest && !this.has('obeys-superseded')) return;
    const result = parseWorkerCommand(raw);
    if (!result.ok) {
      this.invalid(master, raw, binary, result.kind);
      return;
    }
    const { command } = result;
    if (this.has('drops-in-silence')) {
      clearTimeout(this.lingering);
      this.lingering = setTimeout(() => this.replaceAll([]), this.options.linger);
    }
    const run = () => {
      switch (command.type) {
        case 'subscribe':
          if (!this.has('refuses-unknown-fields') || !('priorityOfLaterVersions' in command.payload))
            this.subscribe(command.payload);
          break;
        case 'unsubscribe':
          this.unsubscribe(command.payload.subscriptionIdentifier);
          break;
        case 'setSubscriptionList':
          if (this.has('no-bare-list') && !raw.includes('"payload"')) break;
          if (this.has('strict-list') && raw.includes('fieldOfLaterVersions')) break;
          this.replaceAll(command.payload.subscriptions);
          break;
        case 'requestState':
          if (!this.has('no-answer')) this.report(master);
          break;
        case 'setSessionId':
          this.setSession(master, command.payload.displayIdentifier, command.payload.sessionId);
          break;
        case 'patchSessionResult':
          this.patched.add(command.payload.sessionId);
          break;
        case 'detectionsAccepted':
          if (command.payload.boot === this.boot || this.has('obeys-other-boots'))
            this.confirm(command.payload.upTo);
          break;
      }
    };
    if (!this.has('unordered') || command.type === 'requestState') run();
    else if (this.heldBack === undefined) this.heldBack = run;
    else {
      run();
      this.heldBack();
      this.heldBack = undefined;
    }
  }

  private invalid({ socket }: Master, raw: Buffer, binary: boolean, kind: string): void {
    if (this.has('logs-frames')) this.log.push(raw.toString());
    const closes: Partial<Record<Defect, boolean>> = {
      'closes-on-no-json': kind === 'not-json' && !binary,
      'closes-on-no-object': kind === 'not-an-object',
      'closes-on-unknown-type': kind === 'unknown-type',
      'closes-on-invalid-field': kind.startsWith('invalid-'),
      'closes-on-binary': binary,
      'closes-on-depth': kind === 'too-deep',
    };
    if (this.options.defect !== undefined && closes[this.options.defect] === true) socket.close(1003);
  }

  private setSession({ socket }: Master, display: string, session: number | null): void {
    if (session !== null) this.sessions.set(display, session);
    else if (this.has('closes-on-null')) socket.close(1011);
    else if (!this.has('keeps-sessions')) this.sessions.delete(display);
  }

  private subscribe(wanted: SubscribePayload): void {
    const { subscriptionIdentifier: id, rtspUrl } = wanted;
    const before = this.held.get(id);
    if (!URL.canParse(rtspUrl) || new URL(rtspUrl).protocol === 'file:') {
      if (this.has('logs-addresses')) this.log.push(`cannot open ${rtspUrl}`);
      if (!this.has('lists-any-scheme')) return;
    }
    const next = { ...wanted };
    if (before !== undefined && this.has('keeps-model')) next.modelId = before.modelId;
    if (before !== undefined && this.has('keeps-fingerprint')) next.fingerprint = before.fingerprint;
    if (before !== undefined && this.has('keeps-crop'))
      Object.assign(next, { cropX1: before.cropX1, cropX2: before.cropX2 });
    this.held.set(id, next);
    this.files.need(next);
    const camera = this.cameraOf(next);
    const restarts =
      (before !== undefined && this.has('restarts-on-subscribe')) ||
      (this.has('restarts-on-version') && before !== undefined && before.modelVersion !== next.modelVersion);
    if (restarts) camera.restart();
    if (camera.url !== rtspUrl && !this.has('keeps-url')) camera.moveTo(rtspUrl);
  }

  private unsubscribe(id: string): void {
    const gone = this.held.get(id);
    if (this.has('ends-all-on-unknown') && gone === undefined) return this.replaceAll([]);
    if (gone === undefined || (this.has('ignores-unsubscribe') && this.held.size > 1)) return;
    this.held.delete(id);
    const key = this.keyOf(gone);
    const shared = [...this.held.values()].some((other) => this.keyOf(other) === key);
    if (shared && !this.has('ends-shared')) return;
    if (this.has('keeps-streams')) return;
    this.cameras.get(key)?.stop();
    this.cameras.delete(key);
  }

  private replaceAll(wanted: readonly SubscribePayload[]): void {
    const ids = new Set(wanted.map(({ subscriptionIdentifier }) => subscriptionIdentifier));
    if (!this.has('merges-lists') || wanted.length === 0)
      for (const id of this.held.keys())
        if (!ids.has(id) || this.has('restarts-on-list')) this.unsubscribe(id);
    for (const payload of wanted) this.subscribe(payload);
  }

  private keyOf({ subscriptionIdentifier: id }: SubscribePayload): string {
    if (this.has('stream-per-subscription')) return id;
    const at = this.has('splits-at-last') ? id.lastIndexOf(';') : id.indexOf(';');
    return id.slice(at + 1);
  }

  private cameraOf(subscription: SubscribePayload): ModelCamera {
    const key = this.keyOf(subscription);
    const known = this.cameras.get(key);
    if (known !== undefined) return known;
    const camera = new ModelCamera(subscription.rtspUrl, !this.has('never-reconnects'));
    this.cameras.set(key, camera);
    return camera;
  }

  private isOnline(subscription: SubscribePayload): boolean {
    const { online, wasOnline } = this.cameras.get(this.keyOf(subscription))!;
    if (this.has('never-online')) return false;
    return online || this.has('always-online') || (this.has('stays-online') && wasOnline);
  }

  private regularReports(): void {
    if (this.has('no-regular-reports')) return;
    for (const master of this.has('reports-to-newest') ? this.masters.slice(-1) : this.masters)
      this.report(master);
  }

  private report(master: Master): void {
    const rows = [...this.held.values()]
      .filter((each) => !this.has('lists-online-only') || this.isOnline(each))
      .map((each) => this.row(each));
    const body = {
      cpuUsage: this.has('load-over-100') ? 250 : 12.5,
      memoryUsage: null,
      loadedModels: this.files.loaded(),
      cameraConnections: rows,
    };
    const message = this.has('nested-report')
      ? { type: 'stateReport', cameraConnections: 0, payload: body }
      : { type: 'stateReport', ...body };
    if (this.has('waits-for-all') && this.masters.some(({ socket }) => socket.bufferedAmount > 1_000_000))
      return;
    const frame = JSON.stringify(message);
    master.socket.send(this.has('binary-frames') ? Buffer.from(frame) : frame);
  }

  private row(subscription: SubscribePayload): object {
    const { cropX1, cropX2, cropY1, cropY2, fingerprint, modelId, modelName, subscriptionIdentifier } =
      subscription;
    return {
      subscriptionIdentifier,
      modelId,
      modelName: this.has('other-name-in-rows') ? 'model' : modelName,
      online: this.isOnline(subscription),
      ...(!this.has('no-fingerprint') && { fingerprint }),
      ...this.files.stateOf(subscription),
      ...(this.has('large-rows') && { note: 'x'.repeat(300) }),
      cropX1,
      cropX2,
      cropY1,
      cropY2,
    };
  }

  private detect(): void {
    for (const each of this.held.values()) if (this.isOnline(each)) this.add(each);
    if (this.has('detects-ended'))
      for (const id of this.sequences.keys())
        if (!this.held.has(id)) this.add({ subscriptionIdentifier: id, modelId: 1, modelName: 'gone' });
    this.flush();
  }

  private add(
    of: Pick<SubscribePayload, 'subscriptionIdentifier' | 'modelId' | 'modelName'> &
      Partial<SubscribePayload>,
  ): void {
    const { cropX1 = 0, modelId, modelName, subscriptionIdentifier } = of;
    const sequence = (this.sequences.get(subscriptionIdentifier) ?? 0) + 1;
    this.sequences.set(subscriptionIdentifier, sequence);
    const seq = ++this.seq;
    const box = { x: cropX1 + 10, y: 20, width: 30, height: 40 };
    if (this.has('boxes-of-crop')) box.x = 10;
    if (this.has('boxes-in-parts')) Object.assign(box, { x: 0.1, y: 0.1, width: 0.2, height: 0.2 });
    if (this.has('boxes-outside')) box.x = 700;
    const frameWidth = this.has('frame-of-crop') ? 640 - cropX1 : this.has('other-frame-size') ? 1_920 : 640;
    const hours = this.has('local-time') ? 3 : 0;
    const timestamp = new Date(Date.now() + hours * 3_600_000).toISOString();
    const frame = JSON.stringify({
      type: 'imageDetection',
      subscriptionIdentifier,
      timestamp: this.has('odd-timestamp') ? 'now' : timestamp,
      ...(!this.has('no-boot') && {
        boot: this.boot,
        ...(!this.has('no-seq') && { seq: this.has('seq-per-subscription') ? sequence : seq }),
      }),
      data: {
        modelId: this.has('other-model') ? modelId + 1 : modelId,
        modelName,
        detection: {
          label: 'Motion',
          pictureId: `${this.boot}.${sequence}`,
          ...(!this.has('no-boxes') && { boxes: [box], frameWidth, frameHeight: 480 }),
          ...(this.has('large-detections') && { picture: 'x'.repeat(70_000) }),
        },
      },
    });
    this.kept.push({ seq, frame });
    if (this.kept.length > 2_000) this.kept.shift();
  }

  private flush(): void {
    const ruling = this.masters.filter(
      ({ socket, term }) => term === this.highest && socket.readyState === 1,
    );
    const current = this.has('detections-to-oldest') ? ruling[0] : ruling.at(-1);
    if (this.has('waits-for-all') && this.masters.some(({ socket }) => socket.bufferedAmount > 1_000_000))
      return;
    if (current === undefined) return;
    if (this.has('sends-nothing-again'))
      current.written = Math.max(current.written, ...this.masters.map((each) => each.written), this.sent);
    const todo = this.kept.filter(({ seq }) => seq > current.written);
    for (const { frame, seq } of this.has('newest-first') && current.written === 0
      ? todo.toReversed()
      : todo) {
      for (const { socket } of this.has('detections-to-all') ? ruling : [current]) socket.send(frame);
      current.written = Math.max(current.written, seq);
    }
    this.sent = Math.max(this.sent, current.written);
    if (!current.confirms && !this.has('keeps-without-confirms')) this.confirm(current.written, true);
  }

  private sent = 0;

  private confirm(upTo: number, own = false): void {
    if (this.has('ignores-confirmations') && !own) return;
    while (this.kept.length > 0 && this.kept[0]!.seq <= upTo) this.kept.shift();
  }

  private patch(): void {
    const current = this.masters.filter(({ term }) => term === this.highest).at(-1);
    for (const [display, sessionId] of this.sessions) {
      const runs = [...this.held.values()].some(
        (each) => each.subscriptionIdentifier.startsWith(`${display};`) && this.isOnline(each),
      );
      if (!runs || current === undefined || this.has('no-patches')) continue;
      if (this.patched.has(sessionId) && !this.has('keeps-sessions')) continue;
      if (this.has('patches-once')) this.patched.add(sessionId);
      const id = this.has('other-session') ? [sessionId, sessionId + 1] : [sessionId];
      for (const each of id)
        current.socket.send(JSON.stringify({ type: 'patchSession', sessionId: each, data: {} }));
    }
  }

  private image(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, 'http://worker');
    const subscription = this.held.get(decodeURIComponent(url.pathname.split('/')[2] ?? ''));
    const picture = url.searchParams.get('picture');
    const none =
      (subscription === undefined && !this.has('any-image')) ||
      (subscription !== undefined && !this.isOnline(subscription) && !this.has('old-image')) ||
      (picture !== null && !picture.startsWith(this.boot) && !this.has('any-picture')) ||
      (picture !== null && this.has('no-picture'));
    if (!this.permits(request, 'open-images')) response.writeHead(401).end();
    else if (none) response.writeHead(404).end();
    else if (this.has('image-500')) response.writeHead(500).end();
    else
      response
        .writeHead(200, {
          'content-type': this.has('image-type') ? 'application/octet-stream' : 'image/jpeg',
        })
        .end(this.has('no-jpeg') ? 'a picture' : PICTURE);
  }
}
