import type { StoreKind } from '../../support/bench-stores.js';

/** One message of a client to its server. */
interface Frame {
  /** Total number of bytes. */
  readonly length: number;
  /** Whether it is a request. Other messages open the connection, acknowledge, or belong to a request. */
  readonly counts: boolean;
}

/** Reads the message at the start of the bytes. It may end beyond them. Returns `undefined` if more bytes are needed. */
export type Framing = (bytes: Buffer) => Frame | undefined;

const CRLF = '\r\n';

/** `*<n>`, then n times `$<length>` and the bytes. */
const redisCommand: Framing = (bytes) => {
  const lineFrom = (start: number) => {
    const end = bytes.indexOf(CRLF, start);
    return end < 0 ? undefined : { number: Number(bytes.toString('latin1', start + 1, end)), next: end + 2 };
  };
  const head = lineFrom(0);
  if (!head) return undefined;
  let at = head.next;
  for (let part = 0; part < head.number; part++) {
    const size = lineFrom(at);
    if (!size) return undefined;
    at = size.next + size.number + CRLF.length;
  }
  return { length: at, counts: true };
};

/** A type, and a length that does not count the type. The first message has no type, and a length below 2^24. */
const postgresMessage: Framing = (bytes) => {
  if (bytes[0] === 0) return bytes.length < 4 ? undefined : { length: bytes.readUInt32BE(0), counts: false };
  if (bytes.length < 5) return undefined;
  // A simple query, or the execution of a query in parts.
  const counts = bytes[0] === 0x51 || bytes[0] === 0x45;
  return { length: 1 + bytes.readUInt32BE(1), counts };
};

const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** gRPC over HTTP/2: short messages are one DATA frame each; an empty one only ends a stream. */
const grpcFrame: Framing = (bytes) => {
  // Read as a frame header, the preface would announce a frame of 5 MB.
  if (bytes.toString('latin1', 0, 3) === 'PRI') return { length: HTTP2_PREFACE.length, counts: false };
  if (bytes.length < 4) return undefined;
  const payload = bytes.readUIntBE(0, 3);
  return { length: 9 + payload, counts: bytes[3] === 0 && payload > 0 };
};

/** A length that counts itself, at least for the head of 16 bytes. */
const mongoMessage: Framing = (bytes) =>
  bytes.length < 4 ? undefined : { length: Math.max(16, bytes.readUInt32LE(0)), counts: true };

const RETHINK_MAGIC = Buffer.from([0xc3, 0xbd, 0xc2, 0x34]);

/** A version, two texts of JSON that end with a zero, and then queries: a token of 8 bytes, a length, and JSON. */
const rethinkQuery: Framing = (bytes) => {
  if (bytes.length < 4) return undefined;
  if (bytes.subarray(0, 4).equals(RETHINK_MAGIC)) return { length: 4, counts: false };
  if (bytes.toString('latin1', 0, 2) === '{"') {
    const end = bytes.indexOf(0);
    return end < 0 ? undefined : { length: end + 1, counts: false };
  }
  return bytes.length < 12 ? undefined : { length: 12 + bytes.readUInt32LE(8), counts: true };
};

/** The framing of each kind of store. */
export const framings: Readonly<Record<StoreKind, Framing>> = {
  redis: redisCommand,
  postgres: postgresMessage,
  etcd: grpcFrame,
  mongodb: mongoMessage,
  rethinkdb: rethinkQuery,
};
