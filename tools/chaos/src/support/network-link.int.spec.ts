import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DialMeter } from './dial-meter.js';
import { NetworkLink } from './network-link.js';
import { until } from './until.js';

const SOME_TIME = 150;

const eventually = (what: string, condition: () => boolean) =>
  until(new AbortController().signal, what, () => (condition() ? true : null), 10_000);

describe('NetworkLink', () => {
  let worker: Server;
  let link: NetworkLink;
  let heard: string;
  let workerSides: Socket[];
  let masters: Socket[];
  let dials: DialMeter;

  beforeEach(async () => {
    [heard, workerSides, masters] = ['', [], []];
    dials = new DialMeter();
    worker = createServer((socket) => {
      workerSides.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard += String(data);
        socket.write(`re:${String(data)}`);
      });
    });
    worker.listen(0, '127.0.0.1');
    await once(worker, 'listening');
    link = await new NetworkLink((worker.address() as AddressInfo).port, { dials }).listen();
  });
  afterEach(() => {
    for (const master of masters) master.destroy();
    link.close();
    worker.close();
  });

  const dial = () => {
    const socket = connect(link.port, '127.0.0.1');
    const master = { socket, answers: '', closed: false };
    masters.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => (master.answers += String(data)));
    socket.on('close', () => (master.closed = true));
    return master;
  };

  it('forwards data in both directions, and the close of a side', async () => {
    const master = dial();
    master.socket.write('hello');
    await eventually('the answer', () => master.answers === 're:hello');
    workerSides[0]!.end();
    await eventually('the end', () => master.closed);
  });

  it('cuts every connection', async () => {
    const all = [dial(), dial()];
    await eventually('both', () => workerSides.length === 2);
    expect(link.cut()).toBe(2);
    await eventually('the ends', () => all.every(({ closed }) => closed));
    await eventually('the ends at the worker', () => workerSides.every(({ destroyed }) => destroyed));
    expect(link.cut()).toBe(0);
  });

  it('breaks a connection in the middle of the next data', async () => {
    const master = dial();
    await eventually('the connection', () => workerSides.length === 1);
    expect(link.tear()).toBe(1);
    master.socket.write('hello');
    await eventually('the end', () => master.closed);
    expect('re:hello'.startsWith(master.answers)).toBe(true);
    expect(master.answers.length).toBeLessThan('re:hello'.length);
  });

  it('holds back everything while the worker has vanished, also the end of a connection, and forwards it later', async () => {
    const [early, leaving] = [dial(), dial()];
    await eventually('both', () => workerSides.length === 2);
    link.vanish();
    const late = dial();
    for (const { socket } of [early, late, leaving]) socket.write('x');
    leaving.socket.end();
    workerSides[0]!.write('y');
    await sleep(SOME_TIME);
    expect([heard, early.answers, late.answers]).toEqual(['', '', '']);
    expect(workerSides.some(({ readableEnded }) => readableEnded)).toBe(false);
    link.reappear();
    await eventually('what was said', () => heard === 'xxx');
    await eventually('the answers', () => early.answers === 'yre:x' && late.answers === 're:x');
    await eventually('the end', () => workerSides.filter(({ destroyed }) => destroyed).length === 1);
  });

  it('holds back one direction, also the end that was sent in it', async () => {
    const master = dial();
    await eventually('the connection', () => workerSides.length === 1);
    link.vanish('there');
    master.socket.write('x');
    workerSides[0]!.write('y');
    await eventually('what the worker has said', () => master.answers === 'y');
    master.socket.destroy();
    await eventually('the bytes', () => link.heldBytes === 1);
    expect([heard, workerSides[0]!.readableEnded]).toEqual(['', false]);
    link.reappear();
    await eventually('what the master has said', () => heard === 'x');
    await eventually('the end', () => workerSides[0]!.destroyed);
    link.vanish('back');
    const other = dial();
    other.socket.write('z');
    await eventually('the question', () => heard === 'xz');
    expect(other.answers).toBe('');
    link.reappear();
    await eventually('the answer', () => other.answers === 're:z');
  });

  it('holds back commands of current connections only', async () => {
    const old = dial();
    await eventually('the old one', () => workerSides.length === 1);
    link.holdBack();
    old.socket.write('stale');
    workerSides[0]!.write('report');
    const fresh = dial();
    fresh.socket.write('fresh;');
    await eventually('the new one', () => heard === 'fresh;' && old.answers === 'report');
    await eventually('the old one to be held', () => link.heldBytes === 'stale'.length);
    link.reappear();
    await eventually('the old one, late', () => heard === 'fresh;stale');
    expect(link.heldBytes).toBe(0);
  });

  it('counts dials from their beginning to the first answer or the end', async () => {
    const first = [dial(), dial(), dial()];
    await eventually('three', () => workerSides.length === 3);
    expect(dials.max).toBe(3);
    first[0]!.socket.write('x');
    first[1]!.socket.destroy();
    await eventually('an answer and an end', () => first[0]!.answers !== '' && workerSides[1]!.destroyed);
    dials.reset();
    dial();
    await eventually('the fourth', () => workerSides.length === 4);
    expect(dials.max).toBe(2);
  });
});
