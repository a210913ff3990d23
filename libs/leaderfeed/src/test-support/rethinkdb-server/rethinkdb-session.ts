import type { Socket } from 'node:net';
import { evaluate, ReqlError, tableOf, type Datum } from './reql.js';
import { ScramServer } from './scram.js';
import type { TestChange, TestTable, TestTables } from './tables.js';

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

/** A changefeed: what has happened since it was asked last. */
interface TestFeed {
  readonly table: TestTable;
  readonly pending: TestChange[];
  readonly listener: (change: TestChange) => void;
  asked: boolean;
}

/** One connection: the greeting, then queries by token. */
export class RethinkServerSession {
  private buffer: Buffer = Buffer.alloc(0);
  private greeted = 0;
  private readonly scram: ScramServer;
  private readonly feeds = new Map<bigint, TestFeed>();

  private constructor(
    private readonly socket: Socket,
    private readonly tables: TestTables,
    password: string,
  ) {
    this.scram = new ScramServer(password);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('close', () => {
      for (const token of this.feeds.keys()) this.end(token);
    });
  }

  static serve(socket: Socket, tables: TestTables, password: string): RethinkServerSession {
    return new RethinkServerSession(socket, tables, password);
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

  /** @returns whether there was a whole message. */
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
    if (type !== START) return this.send(token, RUNTIME_ERROR, [`unknown type of query ${type}`]);
    const scope = { tables: this.tables, now: Date.now() / 1_000, variables: new Map<number, Datum>() };
    try {
      if (Array.isArray(term) && term[0] === CHANGES)
        this.begin(token, tableOf((term[1] as unknown[])[0], scope));
      else this.send(token, SUCCESS_ATOM, [evaluate(term, scope)]);
    } catch (error) {
      if (!(error instanceof ReqlError)) throw error;
      this.send(token, RUNTIME_ERROR, [error.message]);
    }
  }

  private begin(token: bigint, table: TestTable): void {
    const feed: TestFeed = {
      table,
      pending: [],
      asked: false,
      listener: (change) => {
        feed.pending.push(change);
        this.flush(token);
      },
    };
    table.on('change', feed.listener);
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
    this.send(token, SUCCESS_PARTIAL, feed.pending.splice(0), [SEQUENCE_FEED]);
  }

  private end(token: bigint): void {
    const feed = this.feeds.get(token);
    feed?.table.off('change', feed.listener);
    this.feeds.delete(token);
  }

  private send(token: bigint, type: number, results: unknown[], notes: number[] = []): void {
    if (!this.socket.writable) return;
    const body = Buffer.from(JSON.stringify({ t: type, r: results, n: notes, b: [] }));
    const header = Buffer.alloc(HEADER);
    header.writeBigUInt64LE(token, 0);
    header.writeUInt32LE(body.length, 8);
    this.socket.write(Buffer.concat([header, body]));
  }
}
