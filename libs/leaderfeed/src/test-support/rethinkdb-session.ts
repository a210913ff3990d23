import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Datum, ReqlError } from './answers.js';
import { evaluate, tableOf, tableToCreate, Unanswered } from './reql.js';
import type { ServerTables, TestChange, TestTable } from './tables.js';

const ITERATIONS = 1;

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const field = (message: string, name: string) =>
  message
    .split(',')
    .find((part) => part.startsWith(`${name}=`))!
    .slice(2);

/** The server's side of SCRAM-SHA-256, for one client with a password. */
class ScramServer {
  private clientFirst = '';
  private serverFirst = '';
  private readonly salt = randomBytes(16);

  constructor(private readonly password: string) {}

  /** @param message The client's first message, `n,,n=<user>,r=<nonce>`. */
  first(message: string): string {
    this.clientFirst = message.slice('n,,'.length);
    const nonce = field(this.clientFirst, 'r') + randomBytes(18).toString('base64').replaceAll(',', '');
    this.serverFirst = `r=${nonce},s=${this.salt.toString('base64')},i=${ITERATIONS}`;
    return this.serverFirst;
  }

  /**
   * @param message The client's final message, `c=biws,r=<nonce>,p=<proof>`.
   * @returns The server's signature, or `undefined` when the password is wrong.
   */
  final(message: string): string | undefined {
    const salted = pbkdf2Sync(this.password, this.salt, ITERATIONS, 32, 'sha256');
    const withoutProof = message.slice(0, message.lastIndexOf(',p='));
    const authMessage = [this.clientFirst, this.serverFirst, withoutProof].join(',');
    const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
    const signature = hmac(storedKey, authMessage);
    const proof = Buffer.from(message.slice(message.lastIndexOf(',p=') + 3), 'base64');
    const clientKey = Buffer.from(proof.map((byte, index) => byte ^ signature[index]!));
    if (!createHash('sha256').update(clientKey).digest().equals(storedKey)) return undefined;
    return `v=${hmac(hmac(salted, 'Server Key'), authMessage).toString('base64')}`;
  }
}

const V1_0 = 0x34c2bdc3;
const START = 1;
const CONTINUE = 2;
const STOP = 3;
const SUCCESS_ATOM = 1;
const SUCCESS_SEQUENCE = 2;
const SUCCESS_PARTIAL = 3;
const RUNTIME_ERROR = 18;
const SEQUENCE_FEED = 1;
const CHANGES = 152;
const HEADER = 12;

/** State that the sessions of a server share. */
export interface TestServer {
  readonly tables: ServerTables;
  readonly password: string;
  /** How far the server's clock is ahead. Milliseconds. */
  readonly clockOffset: number;
  readonly admin: boolean;
  readonly replicaDown: boolean;
  /** Number of changes that a feed keeps for a listener that does not fetch them. */
  readonly feedLimit: number;
}

/** A changefeed: the changes since the last fetch. */
interface TestFeed {
  readonly table: TestTable;
  readonly pending: TestChange[];
  readonly listener: (change: TestChange) => void;
  readonly dropped: () => void;
  skipped: number;
  asked: boolean;
}

/** One connection: the handshake, then queries by token. */
export class RethinkServerSession {
  private buffer: Buffer = Buffer.alloc(0);
  private greeted = 0;
  private readonly scram: ScramServer;
  private readonly feeds = new Map<bigint, TestFeed>();

  private constructor(
    private readonly socket: Socket,
    private readonly server: TestServer,
  ) {
    this.scram = new ScramServer(server.password);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('close', () => {
      for (const token of this.feeds.keys()) this.end(token);
    });
  }

  static serve(socket: Socket, server: TestServer): RethinkServerSession {
    return new RethinkServerSession(socket, server);
  }

  private receive(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    while (this.greeted < 2) if (!this.greet()) return;
    while (this.buffer.length >= HEADER) {
      const length = HEADER + this.buffer.readUInt32LE(8);
      if (this.buffer.length < length) return;
      const token = this.buffer.readBigUInt64LE(0);
      const query = JSON.parse(this.buffer.toString('utf8', HEADER, length)) as [number, unknown];
      this.buffer = this.buffer.subarray(length);
      this.answer(token, query);
    }
  }

  /** @returns whether a whole message was available. */
  private greet(): boolean {
    const start = this.greeted === 0 ? 4 : 0;
    const end = this.buffer.indexOf(0, start);
    if (end < 0) return false;
    if (start > 0 && this.buffer.readUInt32LE(0) !== V1_0) {
      this.socket.end('ERROR: unknown version\0');
      return false;
    }
    const { authentication } = JSON.parse(this.buffer.toString('utf8', start, end)) as {
      authentication: string;
    };
    this.buffer = this.buffer.subarray(end + 1);
    if (this.greeted++ === 0) {
      this.say({
        success: true,
        min_protocol_version: 0,
        max_protocol_version: 0,
        server_version: '2.4.0-test',
      });
      this.say({ success: true, authentication: this.scram.first(authentication) });
    } else {
      const signature = this.scram.final(authentication);
      if (signature) this.say({ success: true, authentication: signature });
      else this.say({ success: false, error: 'Wrong password', error_code: 12 });
    }
    return true;
  }

  private say(message: object): void {
    this.socket.write(`${JSON.stringify(message)}\0`);
  }

  private answer(token: bigint, [type, term]: [number, unknown]): void {
    if (type === CONTINUE) return this.goOn(token);
    if (type === STOP) {
      this.end(token);
      return this.send(token, SUCCESS_SEQUENCE, []);
    }
    if (type !== START) return this.refuse(token, new ReqlError(`unknown type of query ${type}`));
    const { tables, clockOffset, admin, replicaDown } = this.server;
    const now = (Date.now() + clockOffset) / 1_000;
    const scope = { tables, now, admin, replicaDown, variables: new Map<number, Datum>() };
    try {
      const created = tableToCreate(term, scope);
      if (created) void this.create(token, ...created);
      else if (Array.isArray(term) && term[0] === CHANGES)
        this.begin(token, tableOf((term[1] as unknown[])[0], scope));
      else this.send(token, SUCCESS_ATOM, [evaluate(term, scope)]);
    } catch (error) {
      this.refuse(token, error);
    }
  }

  private async create(token: bigint, db: string, name: string): Promise<void> {
    try {
      this.send(token, SUCCESS_ATOM, [await this.server.tables.create(db, name)]);
    } catch (error) {
      this.refuse(token, error);
    }
  }

  private refuse(token: bigint, error: unknown): void {
    if (error instanceof Unanswered) return;
    if (!(error instanceof ReqlError)) throw error;
    this.send(token, RUNTIME_ERROR, [error.message], [], error.errorType);
  }

  private begin(token: bigint, table: TestTable): void {
    const feed: TestFeed = {
      table,
      pending: [],
      asked: false,
      skipped: 0,
      listener: (change) => {
        if (feed.pending.length >= this.server.feedLimit) feed.skipped += feed.pending.splice(0).length;
        feed.pending.push(change);
        this.flush(token);
      },
      dropped: () => {
        this.end(token);
        this.refuse(token, new ReqlError('Changefeed aborted (unavailable).', 'OP_FAILED'));
      },
    };
    table.on('change', feed.listener);
    table.on('dropped', feed.dropped);
    this.feeds.set(token, feed);
    this.send(token, SUCCESS_PARTIAL, [], [SEQUENCE_FEED]);
  }

  private goOn(token: bigint): void {
    const feed = this.feeds.get(token);
    if (!feed) return;
    feed.asked = true;
    this.flush(token);
  }

  private flush(token: bigint): void {
    const feed = this.feeds.get(token)!;
    if (!feed.asked || feed.pending.length === 0) return;
    feed.asked = false;
    const { skipped } = feed;
    feed.skipped = 0;
    const notice = {
      error: `Changefeed cache over array size limit, skipped ${skipped} elements.`,
    };
    const elements = [...(skipped > 0 ? [notice] : []), ...feed.pending.splice(0)];
    this.send(token, SUCCESS_PARTIAL, elements, [SEQUENCE_FEED]);
  }

  private end(token: bigint): void {
    const feed = this.feeds.get(token);
    feed?.table.off('change', feed.listener);
    feed?.table.off('dropped', feed.dropped);
    this.feeds.delete(token);
  }

  private send(token: bigint, type: number, results: unknown[], notes: number[] = [], e?: number): void {
    if (!this.socket.writable) return;
    const body = Buffer.from(JSON.stringify({ t: type, r: results, n: notes, b: [], e }));
    const header = Buffer.alloc(HEADER);
    header.writeBigUInt64LE(token, 0);
    header.writeUInt32LE(body.length, 8);
    this.socket.write(Buffer.concat([header, body]));
  }
}
