import { describe, expect, it } from 'vitest';
import { FrameCounter } from './counting-proxy.js';
import { framings } from './framings.js';

const postgres = (type: string, body: string) => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const http2 = (type: number, body: string) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  return Buffer.concat([head, Buffer.from(body)]);
};
const mongo = (body: string) => {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length);
  return Buffer.concat([head, Buffer.from(body)]);
};
const rethink = (token: number, body: string) => {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(token);
  head.writeUInt32LE(body.length, 8);
  return Buffer.concat([head, Buffer.from(body)]);
};
const startup = Buffer.from([0, 0, 0, 12, 0, 3, 0, 0, 0x51, 0x51, 0x51, 0]);
const magic = Buffer.from([0xc3, 0xbd, 0xc2, 0x34]);

const conversations = {
  redis: {
    // An argument that looks like a command, with its length in bytes.
    bytes: Buffer.from(
      '*1\r\n$4\r\nPING\r\n*3\r\n$3\r\nSET\r\n$2\r\né\r\n$12\r\n*1\r\n$1\r\nA\r\n\r\n*0\r\n',
    ),
    count: 3,
  },
  postgres: {
    // A query in one message, and one in parts with a single execution.
    bytes: Buffer.concat([
      startup,
      postgres('Q', 'LISTEN "x"\0'),
      ...['P', 'B', 'D', 'E', 'S'].map((type) => postgres(type, 'QQEE')),
    ]),
    count: 2,
  },
  etcd: {
    bytes: Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      http2(4, ''),
      http2(1, 'headers'),
      http2(0, 'a message'),
      http2(8, '0000'),
      http2(0, 'another'),
      http2(0, ''),
    ]),
    count: 2,
  },
  mongodb: { bytes: Buffer.concat([mongo('hello'), mongo(''), mongo('find')]), count: 3 },
  rethinkdb: {
    // The token 123 begins like JSON.
    bytes: Buffer.concat([magic, Buffer.from('{"a":1}\0{"b":2}\0'), rethink(1, '[1]'), rethink(123, '[4]')]),
    count: 2,
  },
} as const;

describe.each(Object.entries(conversations))('messages to %s', (store, { bytes, count }) => {
  it.each([1, 2, 3, 7, 1_000])('are counted in chunks of %i bytes', (size) => {
    const counter = new FrameCounter(framings[store as keyof typeof framings]);
    for (let at = 0; at < bytes.length; at += size) counter.read(bytes.subarray(at, at + size));
    expect(counter.count).toBe(count);
  });

  it('count when they are whole', () => {
    const counter = new FrameCounter(framings[store as keyof typeof framings]);
    counter.read(bytes.subarray(0, -1));
    const before = counter.count;
    counter.read(bytes.subarray(-1));
    expect([before, counter.count]).toEqual([
      store === 'etcd' || store === 'postgres' ? count : count - 1,
      count,
    ]);
  });
});
