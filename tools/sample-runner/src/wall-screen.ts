import { WebSocket } from 'ws';

/** Another page shows the display. */
const REPLACED = 4001;
const PAUSE = 200;

interface Message {
  readonly event: string;
  readonly data: {
    readonly replica: string;
    readonly position: string;
    readonly sighting: { readonly detectionId: string; readonly camera: string; readonly plate: string };
  };
}

export interface WallScreenOptions {
  /** Of the load balancer. */
  readonly url: string;
  readonly display: string;
  /** Different for each screen. */
  readonly page: string;
  /** Receives what the screen shows, line by line. */
  readonly print: (line: string) => void;
}

/** Does what the page of a display does, without a browser: connects again, continues where it was, and shows nothing twice. */
export class WallScreen {
  /** Ids of the detections that it has shown. */
  readonly shown = new Set<string>();
  readonly cameras = new Set<string>();
  /** The replica that it is connected to; empty while it is not. */
  replica = '';
  replaced = false;
  private position = '0-0';
  private opened = true;
  private closed = false;
  private socket: WebSocket | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WallScreenOptions) {
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.terminate();
  }

  private connect(): void {
    const { url, display, page } = this.options;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/screens`);
    this.socket = socket;
    socket.on('open', () =>
      socket.send(
        JSON.stringify({
          event: 'hello',
          data: { display, page, after: this.position, opened: this.opened },
        }),
      ),
    );
    socket.on('message', (raw: Buffer) => this.receive(JSON.parse(raw.toString()) as Message));
    // The socket closes after an error.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.disconnected(code));
  }

  private disconnected(code: number): void {
    this.replica = '';
    if (this.closed) return;
    this.replaced = code === REPLACED;
    if (this.replaced) this.options.print(`the screen of the ${this.options.display} was replaced`);
    else this.timer = setTimeout(() => this.connect(), PAUSE);
  }

  private receive({ event, data }: Message): void {
    const { display, print } = this.options;
    if (event === 'welcome') {
      this.opened = false;
      this.replica = data.replica;
      print(`the ${display} is connected to ${data.replica}`);
    }
    if (event !== 'sighting') return;
    this.position = data.position;
    const { detectionId, camera, plate } = data.sighting;
    if (this.shown.has(detectionId)) return;
    this.shown.add(detectionId);
    this.cameras.add(camera);
    print(`the ${display} shows ${plate} of the ${camera}, through ${this.replica}`);
  }
}
