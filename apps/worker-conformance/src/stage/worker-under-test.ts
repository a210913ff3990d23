import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import { demand, skip } from '../check.js';
import type { Limits } from '../limits.js';
import { CameraRelay } from './camera-relay.js';
import { type DialOptions, MasterConnection } from './master-connection.js';
import { type Behaviour, ModelStore } from './model-store.js';
import { MotionJpegServer } from './motion-jpeg-server.js';
import { holdsFor, until } from './waits.js';

/** The answer to a request for a picture. */
export interface Picture {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Buffer;
}

export interface WorkerOptions {
  readonly url: URL;
  readonly version: 'v1' | 'v2';
  /** Which the worker asks for. */
  readonly token?: string | undefined;
  /** Address of a camera that shows motion. */
  readonly camera?: string | undefined;
  /** Under which the worker reaches this machine. */
  readonly host?: string | undefined;
  readonly modelName: string;
  readonly modelFile?: Buffer | undefined;
  /** Reads the log of the worker. */
  readonly readLog?: (() => Promise<string>) | undefined;
  /** Sends SIGTERM to the worker. */
  readonly terminate?: (() => void) | undefined;
}

/** A subscription whose camera delivers frames. */
interface Running {
  readonly camera: CameraRelay;
  readonly subscription: SubscribePayload;
  /** Fails the check if the stream was opened again since, or is. */
  undisturbed(otherwise: string): Promise<void>;
}

/** Beyond 32 bits, above all terms of an earlier run, and below 2^53. */
const firstTerm = () => Date.now() * 1_000;

/** A running worker, and what it needs around it: masters, a camera, a store of models. */
export class WorkerUnderTest {
  /** In all addresses that the worker gets, so that its log can be searched for it. */
  readonly secret: string;
  readonly modelId = randomInt(1_000_000, 1_000_000_000);
  private readonly run = randomBytes(4).toString('hex');
  private term = firstTerm();
  private names = 0;
  private readonly lacks = new Set<string>();
  private masters: MasterConnection[] = [];
  private cameras: CameraRelay[] = [];
  private host = '';

  private constructor(
    readonly options: WorkerOptions,
    readonly limits: Limits,
    private readonly ownCamera: MotionJpegServer | undefined,
    readonly store: ModelStore,
    secret: string,
  ) {
    this.secret = secret;
    this.host = options.host ?? '';
  }

  static async start(options: WorkerOptions, limits: Limits): Promise<WorkerUnderTest> {
    const secret = `s3cret-${randomBytes(8).toString('hex')}`;
    const file = options.modelFile ?? randomBytes(4_096);
    const camera = options.camera === undefined ? await MotionJpegServer.start() : undefined;
    return new WorkerUnderTest(options, limits, camera, await ModelStore.start(file, secret), secret);
  }

  /** Whether the size of the camera's frames is known. */
  get hasOwnCamera(): boolean {
    return this.ownCamera !== undefined;
  }

  get currentTerm(): number {
    return this.term;
  }

  nextTerm(): number {
    return ++this.term;
  }

  /** A name that this worker has not heard. */
  newName(prefix: string): string {
    return `${prefix}-${this.run}-${++this.names}`;
  }

  /** Dials, and waits for the answer. By default with the term of the present master. */
  async dial(options: Partial<DialOptions> = {}): Promise<MasterConnection> {
    const { limits, version } = { limits: this.limits, version: this.options.version };
    const headers = { term: this.term, authorization: this.authorization, ...options };
    const url = new URL(this.options.url);
    url.username = url.password = url.hash = '';
    const master = new MasterConnection(url.href, headers, version, limits);
    this.masters.push(master);
    await master.settled();
    if (this.host === '') this.host = master.localHost;
    return master;
  }

  /** Connects, and waits for the first report. */
  async connect(options: Partial<DialOptions> = {}): Promise<MasterConnection> {
    const master = await this.dial(options);
    demand(
      master.isOpen,
      master.refused === undefined
        ? `the upgrade failed: ${master.failure || `closed with ${master.closed?.code}`}`
        : `the upgrade was refused with ${master.refused}`,
    );
    await this.until('a state report on a new connection', () => master.reports.length > 0);
    return master;
  }

  /** Connects as another master, to a worker that then holds nothing. */
  async takeOver(options: Partial<DialOptions> = {}): Promise<MasterConnection> {
    const master = await this.connect({ ...options, term: this.nextTerm() });
    master.want();
    await master.held();
    return master;
  }

  async camera(): Promise<CameraRelay> {
    const camera = this.options.camera ?? this.ownCamera!.url;
    const relay = await CameraRelay.start(camera, this.newName('camera'), this.host, this.secret);
    this.cameras.push(relay);
    return relay;
  }

  /** Address of a camera at which nothing answers. */
  async deadCamera(): Promise<Pick<CameraRelay, 'id' | 'url'>> {
    const server = createServer();
    await once(server.listen(0), 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    return { id: this.newName('camera'), url: `rtsp://viewer:${this.secret}@${this.host}:${port}/dead` };
  }

  subscription(
    camera: Pick<CameraRelay, 'id' | 'url'>,
    fields: Partial<SubscribePayload> & { readonly display?: string } = {},
  ): SubscribePayload {
    const { display = this.newName('display'), ...others } = fields;
    return {
      subscriptionIdentifier: `${display};${camera.id}`,
      rtspUrl: camera.url,
      modelUrl: this.store.url(this.host, 'model'),
      modelName: this.options.modelName,
      modelId: this.modelId,
      modelVersion: 'first',
      fingerprint: randomBytes(16).toString('hex'),
      ...others,
    };
  }

  modelUrl(name: string, behaviour: Behaviour = 'good'): string {
    return this.store.url(this.host, name, behaviour);
  }

  /** A subscription whose camera delivers frames. */
  async running(
    master: MasterConnection,
    fields: Parameters<WorkerUnderTest['subscription']>[1] = {},
  ): Promise<Running> {
    const camera = await this.camera();
    const subscription = this.subscription(camera, fields);
    master.want(subscription);
    await master.row('online', subscription, ({ online }) => online);
    const { opened } = camera;
    const still = () => camera.opened === opened && camera.open > 0;
    const undisturbed = async (otherwise: string) => demand(await this.stays(still), otherwise);
    return { camera, subscription, undisturbed };
  }

  /** Waits for what a worker does at once. Fails the check with what was awaited. */
  until<T>(what: string | (() => string), ask: () => T | Promise<T>): ReturnType<typeof until<T>> {
    return until(what, this.limits.patience, ask);
  }

  /** Whether the condition holds for as long as the checks wait for what must not happen. */
  stays(condition: () => boolean): Promise<boolean> {
    return holdsFor(this.limits.quiet, condition);
  }

  /** Skips the check if the worker lacks something optional. Its sign is only waited for until it was missing once. */
  async offers(lack: string, sign: () => boolean): Promise<void> {
    if (!this.lacks.has(lack) && !(await holdsFor(this.limits.patience / 3, () => !sign()))) return;
    this.lacks.add(lack);
    skip(`the worker ${lack}`);
  }

  /** Asks for a picture. */
  async image(
    { subscriptionIdentifier }: Pick<SubscribePayload, 'subscriptionIdentifier'>,
    {
      picture,
      authorization = this.authorization,
    }: { picture?: string; authorization?: string | undefined | null } = {},
  ): Promise<Picture> {
    const url = new URL(this.options.url);
    url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
    url.username = url.password = url.hash = '';
    url.pathname = `${url.pathname.replace(/\/$/, '')}/camera/${encodeURIComponent(subscriptionIdentifier)}/image`;
    if (picture !== undefined) url.searchParams.set('picture', picture);
    const headers = authorization ? { authorization } : {};
    let answer: Picture | undefined;
    let failure: string | undefined;
    // A connection of its own: one that is kept may be closed by the worker at the moment of its next use.
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      { agent: false, headers },
      (response) => {
        buffer(response).then(
          (body) => (answer = { status: response.statusCode!, type: response.headers['content-type'], body }),
          (error: Error) => (failure = error.message),
        );
      },
    );
    request.on('error', ({ message }) => (failure = message));
    try {
      await this.until('an answer to a request for a picture', () => answer ?? failure);
      demand(answer !== undefined, `the request for a picture failed: ${failure}`);
      return answer;
    } finally {
      request.destroy();
    }
  }

  /** Ends what a check has opened. */
  cleanUp(): void {
    for (const { socket } of this.masters.splice(0)) socket.terminate();
    for (const camera of this.cameras.splice(0)) camera.stop();
  }

  stop(): void {
    this.cleanUp();
    this.ownCamera?.stop();
    this.store.stop();
  }

  private get authorization(): string | undefined {
    const { token, url } = this.options;
    if (token !== undefined) return `Bearer ${token}`;
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return url.username === '' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
  }
}
