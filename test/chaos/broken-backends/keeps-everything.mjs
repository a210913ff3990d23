// The reference service with backends that keep memory, timers and listeners ten times a second, and sockets and keys five times.
import { createSocket } from 'node:dgram';
import { Redis } from 'ioredis';

const OFTEN = 100;
const SELDOM = 200;
const EACH = 5;
const LONG = 2 ** 31 - 1;
const kept = [];
const redis = new Redis(process.env.REDIS_URL).on('error', () => undefined);
process.setMaxListeners(0);

setInterval(() => {
  kept.push(Buffer.alloc(64 * 1_024));
  for (let n = 0; n < EACH; n++) {
    setInterval(() => undefined, LONG).unref();
    process.on('never', () => undefined);
  }
}, OFTEN);
setInterval(() => {
  createSocket('udp4').bind(0, '127.0.0.1').unref();
  void redis.set(`kept:${process.pid}:${kept.length}`, 'x'.repeat(100_000)).catch(() => undefined);
}, SELDOM);
await import('../../../apps/cms-backend/dist/main.js');
