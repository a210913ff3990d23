import { randomBytes } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import type { GroupMessage } from './message.js';
import { channelKeys, type FrameFault, isSignature, signature } from './frame-codec.js';
import { FrameWriter } from './frame-writer.js';
import { FrameReader } from './frame-reader.js';

/** Maximum number of messages that wait for the connection. */
const QUEUED = 64;

/** Maximum backlog for a peer that does not read. Bytes. */
const UNREAD = 256 * 1024;

export interface LinkOptions {
  readonly socket: WebSocket;
  readonly group: string;
  readonly secret: string | false;
  readonly abuseLimit: number;
  received(message: GroupMessage, link: WsLink): void;
  fault(fault: FrameFault, link: WsLink): void;
  ended(link: WsLink): void;
}

/**
 * One connection between two members. Each end contributes a random value. The keys that sign the frames are derived from these values
 * and the secret, one for each direction, and each frame has an increasing number. So a recorded frame cannot be replayed, neither on
 * this connection nor on another.
 */
export class WsLink {
  /** When the last valid frame arrived or the connection began. Monotonic. */
  lastHeard = performance.now();
  private writer: FrameWriter | undefined;
  private reader: FrameReader | undefined;
  private readonly queue: GroupMessage[] = [];
  private faults = 0;
  /**
   * @param side The role of this end.
   * @param nonce The random value of the end that dialled.
   */
  constructor(
    private readonly side: 'dialler' | 'listener',
    private readonly nonce: string,
    private readonly options: LinkOptions,
  ) {
    const { socket } = options;
    socket.on('message', (data, isBinary) => this.hear(data, isBinary));
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') options.fault('oversized', this);
      else if (error.code?.startsWith('WS_ERR_')) options.fault('malformed', this);
    });
    socket.once('close', () => options.ended(this));
    if (side === 'listener') this.greet();
  }

  /** Whether the greeting is complete. */
  get opened(): boolean {
    return this.reader !== undefined;
  }

  /** Whether no message is waiting to be sent. */
  get idle(): boolean {
    return this.queue.length === 0 && this.options.socket.bufferedAmount === 0;
  }

  send(message: GroupMessage): void {
    const { socket } = this.options;
    if (!this.writer) {
      if (this.queue.push(message) > QUEUED) this.queue.shift();
    } else if (socket.readyState === socket.OPEN && socket.bufferedAmount < UNREAD)
      socket.send(this.writer.write(message));
  }

  close(): void {
    this.queue.length = 0;
    this.options.socket.close(1001);
  }

  terminate(): void {
    this.options.socket.terminate();
  }

  private hear(data: RawData, isBinary: boolean): void {
    const { socket } = this.options;
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary) return this.bad('malformed');
    const frame = String(data);
    if (!this.reader) return this.hearGreeting(frame);
    const read = this.reader.read(frame);
    if (typeof read === 'string') return this.bad(read);
    this.lastHeard = performance.now();
    this.options.received(read, this);
  }

  private greet(): void {
    const { socket, secret } = this.options;
    const own = randomBytes(16).toString('hex');
    const mac = secret ? signature(secret, greetingText(this.nonce, own)) : '';
    socket.send(JSON.stringify({ v: 1, type: 'HELLO', nonce: own, mac }));
    this.open(own);
  }

  private hearGreeting(frame: string): void {
    const greeting = parseGreeting(frame);
    const { secret } = this.options;
    if (!greeting) return this.bad('malformed');
    const { nonce, mac } = greeting;
    if (secret && !isSignature(mac, secret, greetingText(this.nonce, nonce)))
      return this.bad(mac === '' ? 'unsigned' : 'forged');
    this.lastHeard = performance.now();
    this.open(nonce);
    for (const message of this.queue.splice(0)) this.send(message);
  }

  /** @param theirs The random value of the end that was dialled. */
  private open(theirs: string): void {
    const { secret, group } = this.options;
    const keys = secret ? channelKeys(secret, this.nonce, theirs) : null;
    this.writer = new FrameWriter(keys && keys[this.side]);
    this.reader = new FrameReader(keys && keys[this.side === 'dialler' ? 'listener' : 'dialler'], group);
  }

  private bad(fault: FrameFault): void {
    this.options.fault(fault, this);
    // A peer without a valid greeting is not a member, so close at once.
    if (++this.faults >= this.options.abuseLimit || !this.reader) this.options.socket.close(1008);
  }
}

const greetingText = (dialler: string, listener: string) => `hello|${dialler}|${listener}`;

function parseGreeting(frame: string): { nonce: string; mac: string } | null {
  try {
    const { v, type, nonce, mac } = JSON.parse(frame) as Record<string, unknown>;
    if (v !== 1 || type !== 'HELLO' || typeof nonce !== 'string' || typeof mac !== 'string') return null;
    return nonce.length <= 64 ? { nonce, mac } : null;
  } catch {
    return null;
  }
}
