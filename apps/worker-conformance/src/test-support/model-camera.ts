import { type ClientRequest, get } from 'node:http';

const AGAIN = 50;

/** The connection of a model worker to one camera. */
export class ModelCamera {
  online = false;
  wasOnline = false;
  private request: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    public url: string,
    private readonly reconnects: boolean,
  ) {
    this.open();
  }

  moveTo(url: string): void {
    this.url = url;
    this.restart();
  }

  restart(): void {
    clearTimeout(this.timer);
    this.request?.removeAllListeners('close').destroy();
    this.open();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.request?.destroy();
  }

  private open(): void {
    this.online = false;
    const request = get(this.url.replace(/^\w+:/, 'http:'), (response) => {
      response.on('data', () => {
        if (this.request === request) this.online = this.wasOnline = true;
      });
      response.on('error', () => undefined);
    });
    this.request = request;
    request.on('error', () => undefined);
    request.on('close', () => {
      this.online = false;
      if (!this.stopped && (this.reconnects || !this.wasOnline))
        this.timer = setTimeout(() => this.open(), AGAIN);
    });
  }
}
