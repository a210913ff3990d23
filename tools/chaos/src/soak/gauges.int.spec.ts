import { waitFor } from '@detector-cluster/local-cluster';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { type Gauge, Gauges } from './gauges.js';

const LIMIT = 30_000;

/** Holds more when it reads a line. */
const PROGRAM = `
  import { createSocket } from 'node:dgram';
  import { EventEmitter } from 'node:events';
  import { Socket } from 'node:net';
  const emitter = new EventEmitter().setMaxListeners(0);
  const abort = new AbortController();
  const socket = new Socket();
  const connection = Object.assign(new EventEmitter(), { socket }).setMaxListeners(0);
  globalThis.kept = [emitter, abort, connection];
  process.stdin.on('data', () => {
    for (let n = 0; n < 100; n++) {
      setInterval(() => undefined, 1e8).unref();
      clearTimeout(kept[kept.push(setTimeout(() => undefined, 1e8)) - 1]);
      emitter.on('event', () => undefined);
      abort.signal.addEventListener('abort', () => undefined);
      connection.on('event', () => undefined);
      kept.push(Object.assign(new EventEmitter(), { socket }).on('event', () => undefined));
      kept.push(Buffer.alloc(65_536));
    }
    for (let n = 0; n < 10; n++) createSocket('udp4').bind(0, '127.0.0.1').unref();
  });`;

it('measures memory, sockets, timers that will run, and listeners of emitters and signals', async () => {
  const gauges = await Gauges.create(100);
  const env = { ...process.env, ...gauges.env, IDENTIFIER: 'program' };
  const program = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const counted = (fits: (gauge: Gauge) => boolean) =>
    waitFor('a measurement', LIMIT, () => gauges.read().findLast(fits) ?? null);
  try {
    const before = await counted(() => true);
    program.stdin.write('more\n');
    const after = await counted(({ sockets }) => sockets >= before.sockets + 10);
    expect(after).toMatchObject({
      process: 'program',
      sockets: before.sockets + 10,
      timers: before.timers + 100,
    });
    // 100 each of the emitter, of the signal and of one connection. The other connections have one each.
    expect(after.listeners - before.listeners).toBeGreaterThanOrEqual(290);
    expect(after.listeners - before.listeners).toBeLessThan(350);
    expect(after.heap - before.heap).toBeGreaterThan(100 * 65_536);
  } finally {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
    await gauges.close();
  }
}, 90_000);
