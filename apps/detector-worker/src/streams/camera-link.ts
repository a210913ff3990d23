import type { Socket } from 'node:net';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import * as tls from 'node:tls';

/** Schemes of addresses that a camera may have, with their ports. */
const PORTS: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'http:': 80, 'https:': 443 };

const FIRST_WAIT = 250;
const MAX_WAIT = 5_000;
/** Between two questions to a camera whose video is not fetched. */
const ASK_EVERY = 5_000;
/** Without any data of the camera. */
const SILENCE = 15_000;

/** Whether a camera may have this address. */
export function isCameraAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol in PORTS;
}

/**
 * The connection to a camera, opened again without a limit. Over HTTP it takes the video and throws it away; over RTSP it only asks the
 * camera for its methods, again and again.
 */
export class CameraLink {
  /** The camera answers. */
  online = false;
  #socket: Socket | http.ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #wait = FIRST_WAIT;
  #closed = false;

  constructor(private readonly address: string) {
    this.#open();
  }

  /** Connects now if it waits for a retry. */
  nudge(): void {
    if (this.#socket !== undefined || this.#closed) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  close(): void {
    this.#closed = true;
    this.online = false;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
  }

  #open(): void {
    const url = new URL(this.address);
    const socket = url.protocol.startsWith('http') ? this.#fetch(url) : this.#ask(url);
    this.#socket = socket;
    socket.setTimeout(SILENCE, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => this.#lost());
  }

  #fetch(url: URL): http.ClientRequest {
    return (url.protocol === 'https:' ? https : http).get(url, { agent: false }, (response) => {
      response.on('error', () => undefined);
      if (response.statusCode !== 200) response.destroy();
      response.on('data', () => this.#heard());
    });
  }

  #ask(url: URL): Socket {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || PORTS[url.protocol]!;
    const socket = url.protocol === 'rtsps:' ? tls.connect(port, host) : net.connect(port, host);
    url.username = url.password = '';
    let question = 0;
    const ask = () => socket.write(`OPTIONS ${url.href} RTSP/1.0\r\nCSeq: ${++question}\r\n\r\n`);
    socket.once(url.protocol === 'rtsps:' ? 'secureConnect' : 'connect', () => {
      ask();
      this.#asking = setInterval(ask, ASK_EVERY);
    });
    socket.on('data', (answer) => {
      if (this.online || answer.toString('latin1').startsWith('RTSP/')) this.#heard();
      else socket.destroy();
    });
    return socket;
  }

  #heard(): void {
    this.online = !this.#closed;
    this.#wait = FIRST_WAIT;
  }

  #lost(): void {
    this.online = false;
    this.#socket = undefined;
    clearInterval(this.#asking);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, MAX_WAIT);
  }
}
