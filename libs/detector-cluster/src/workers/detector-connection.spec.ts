import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { DetectorConnection, type DetectorConnectionOptions } from './detector-connection.js';
import { DialLimiter } from './dial-limiter.js';
import { FrameInbox } from './frame-inbox.js';
import { until } from '../../../../test/support/until.js';
import { defaultWorkerLimits } from './worker-limits.js';

const report = JSON.stringify({
  type: 'stateReport',
  cpuUsage: 1,
  memoryUsage: 2,
  cameraConnections: [{ subscriptionIdentifier: 'd;c', modelId: 1, modelName: 'm', online: true }],
});
const detection = JSON.stringify({
  type: 'imageDetection',
  subscriptionIdentifier: 'd;c',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { detection: { carBrand: 'x' }, modelId: 1, modelName: 'm' },
});

/** A real WebSocket server that the test plays. */
class FakeWorker {
  private readonly server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  readonly sockets: WebSocket[] = [];
  /** What is below each of them. */
  readonly streams: Socket[] = [];
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  readonly received: { type: string }[] = [];
  /** The first frame of each connection. */
  greeting?: string;
  /** Announced in the answer to the upgrade. */
  boot?: string;

  constructor() {
    this.server.on('headers', (headers) => {
      if (this.boot !== undefined) headers.push(`X-Detector-Boot: ${this.boot}`);
    });
    this.server.on('connection', (socket, request) => {
      if (this.greeting !== undefined) socket.send(this.greeting);
      this.sockets.push(socket);
      this.streams.push(request.socket);
      this.headers.push(request.headers);
      socket.on('message', (data) =>
        this.received.push(JSON.parse((data as Buffer).toString()) as { type: string }),
      );
    });
  }

  async url(): Promise<string> {
    if (this.server.address() === null) await once(this.server, 'listening');
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async connection(n: number): Promise<WebSocket> {
    await until(() => this.sockets.length > n);
    return this.sockets[n]!;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('DetectorConnection', () => {
  let worker: FakeWorker;
  let connections: DetectorConnection[];

  beforeEach(() => {
    worker = new FakeWorker();
    connections = [];
  });
  afterEach(async () => {
    for (const connection of connections) connection.terminate();
    await worker.close();
  });

  async function connect(options: Partial<DetectorConnectionOptions> = {}): Promise<DetectorConnection> {
    let numbers = 0;
    const connection = new DetectorConnection({
      url: await worker.url(),
      nodeId: 'node-1',
      term: 7,
      mayAct: () => true,
      dialLimiter: new DialLimiter(),
      inbox: new FrameInbox(),
      nextConnectionNumber: () => ++numbers,
      onDetection: () => undefined,
      random: () => 0,
      ...options,
    });
    connection.on('socketError', () => undefined);
    connections.push(connection);
    connection.initialize();
    return connection;
  }

  it('sends the name of the master, asks for the state, and is Ready with the first report', async () => {
    const connection = await connect();
    const socket = await worker.connection(0);
    expect(worker.headers[0]).toMatchObject({ 'x-detector-term': '7', 'x-detector-master': 'node-1' });
    await until(() => worker.received.length === 1);
    expect(worker.received).toEqual([{ type: 'requestState' }]);
    expect(connection.state()).toBe('Connecting');
    socket.send(report);
    await once(connection, 'report');
    expect(connection.state()).toBe('Ready');
    expect(connection.current).toBe(true);
  });

  it('reads reports that wait for their turn before it says that the connection has ended', async () => {
    let now = 0;
    const connection = await connect({ inbox: new FrameInbox(() => (now += 10)) });
    const socket = await worker.connection(0);
    await until(() => worker.received.length === 1);
    const seen: string[] = [];
    let unread = 0;
    connection.on('report', () => {
      seen.push('report');
      unread = Math.max(unread, connection.unread);
    });
    connection.on('disconnected', () => seen.push('disconnected'));
    for (let n = 0; n < 50; n++) socket.send(report);
    socket.close();
    await until(() => seen.includes('disconnected'));
    expect(seen).toEqual([...Array.from({ length: 50 }, () => 'report'), 'disconnected']);
    expect(unread).toBeGreaterThan(0);
  });

  it('numbers detections by term, connection and sequence, and hands on the bytes as received', async () => {
    const seen: [string, string][] = [];
    await connect({ onDetection: (_message, frame, id) => seen.push([id, frame.toString()]) });
    const first = await worker.connection(0);
    first.send(detection);
    first.send(detection);
    await until(() => seen.length === 2);
    first.terminate();
    (await worker.connection(1)).send(detection);
    await until(() => seen.length === 3);
    expect(seen).toEqual([
      ['7-1-1', detection],
      ['7-1-2', detection],
      ['7-2-1', detection],
    ]);
  });

  const confirmations = () =>
    worker.received.flatMap((command) =>
      command.type === 'detectionsAccepted' ? [(command as unknown as { payload: object }).payload] : [],
    );

  const begin = async (options: Partial<DetectorConnectionOptions> = {}) => {
    const ids: string[] = [];
    const settle: (() => void)[] = [];
    const problems: string[] = [];
    const connection = await connect({
      ...options,
      onDetection: (_message, _frame, id, onSettled) => {
        ids.push(id);
        settle.push(onSettled!);
      },
    });
    connection.on('invalid', (kind, detail) => problems.push(`${kind}: ${detail}`));
    return { connection, ids, settle, problems, socket: await worker.connection(0) };
  };

  describe('with a worker that numbers its detections', () => {
    const BOOT = '9f86d081884c7d65';
    const numbered = (seq: number, boot = BOOT) =>
      JSON.stringify({ ...(JSON.parse(detection) as object), boot, seq });
    beforeEach(() => {
      worker.boot = BOOT;
    });

    it('says that it confirms, and takes the ids of the worker', async () => {
      const { ids, socket } = await begin();
      expect(worker.headers[0]).toMatchObject({ 'x-detector-confirms': '1' });
      socket.send(numbered(41));
      socket.send(numbered(44));
      await until(() => ids.length === 2);
      expect(ids).toEqual([`${BOOT}-41`, `${BOOT}-44`]);
    });

    it('confirms what is settled, never beyond a detection that is not', async () => {
      const { ids, settle, socket } = await begin();
      for (const seq of [1, 2, 3, 4]) socket.send(numbered(seq));
      await until(() => ids.length === 4);
      settle[0]!();
      settle[2]!();
      await until(() => confirmations().length > 0);
      expect(confirmations()).toEqual([{ boot: BOOT, upTo: 1 }]);
      settle[1]!();
      await until(() => confirmations().length > 1);
      expect(confirmations()[1]).toEqual({ boot: BOOT, upTo: 3 });
    });

    it('counts what it refuses for good as settled', async () => {
      const budget = { ...defaultWorkerLimits, detectionBytes: 1_024, detectionsPerSecond: 1 };
      const { ids, settle, socket } = await begin({ budget });
      socket.send(numbered(1).replace('"x"', `"${'x'.repeat(2_000)}"`));
      socket.send(numbered(2));
      socket.send(numbered(3));
      await until(() => ids.length === 1);
      settle[0]!();
      await until(() => confirmations().some((each) => 'upTo' in each && each.upTo === 3));
    });

    it.each<[what: string, frame: string, problem: string]>([
      ['of another start', numbered(2, 'another0'), 'boot: not the one of the answer to the upgrade'],
      ['with a number that does not rise', numbered(1), 'seq: 1 after 1; it must rise on a connection'],
      ['without a number', detection, 'boot and seq: missing'],
    ])('refuses a detection %s', async (_what, frame, problem) => {
      const { ids, problems, socket } = await begin();
      socket.send(numbered(1));
      socket.send(frame);
      await until(() => problems.length > 0);
      expect(problems[0]).toContain(`invalid-imageDetection: ${problem}`);
      expect(ids).toEqual([`${BOOT}-1`]);
    });

    it('confirms what a former master has had appended until it falls silent', async () => {
      const { connection, ids, settle, socket } = await begin();
      for (const seq of [1, 2]) socket.send(numbered(seq));
      await until(() => ids.length === 2);
      connection.release();
      settle[0]!();
      await until(() => confirmations().length > 0);
      await until(() => connection.allRead);
      connection.fallSilent();
      settle[1]!();
      socket.send(numbered(3));
      await until(() => ids.length === 3);
      settle[2]!();
      // Later than a confirmation would come.
      await sleep(150);
      expect(confirmations()).toEqual([{ boot: BOOT, upTo: 1 }]);
    });
  });

  it('takes numbers for any other field when the worker has not announced them', async () => {
    const ids: string[] = [];
    await connect({
      onDetection: (_message, _frame, id, onSettled) => ids.push(`${id} ${typeof onSettled}`),
    });
    (await worker.connection(0)).send(detection.replace('{', '{"boot":"9f86d081884c7d65","seq":1,'));
    await until(() => ids.length === 1);
    expect(ids).toEqual(['7-1-1 undefined']);
  });

  it('counts invalid frames by kind, and keeps the connection', async () => {
    const kinds: string[] = [];
    const connection = await connect();
    connection.on('invalid', (kind) => kinds.push(kind));
    const socket = await worker.connection(0);
    socket.send('{"type":'.padEnd(40));
    socket.send('[1]'.padEnd(40));
    socket.send('{"type":"unheardOf"}'.padEnd(40));
    socket.send('{"type":"imageDetection"}'.padEnd(40));
    socket.send(Buffer.alloc(2 * 1024 * 1024, 'x'));
    socket.send(report);
    await once(connection, 'report');
    expect(kinds).toEqual([
      'not-json',
      'not-an-object',
      'unknown-type',
      'invalid-imageDetection',
      'too-large',
    ]);
    expect(connection.invalidFrames).toBe(5);
    expect(worker.sockets).toHaveLength(1);
  });

  it('counts frames that are too short for a message, and pauses the socket of a worker that sends many', async () => {
    const frames = 100_000;
    // It is not given up for its silence, however long this takes.
    const connection = await connect({ limits: { silence: 600_000, eviction: 600_000 } });
    const counts = new Map<string, number>();
    connection.on('invalid', (kind, _, count) => counts.set(kind, (counts.get(kind) ?? 0) + count));
    let excess = 0;
    connection.on('excess', () => excess++);
    const socket = await worker.connection(0);
    // All of them at once, so that the connection reads many in one piece.
    worker.streams[0]!.write(Buffer.alloc(3 * frames, Uint8Array.of(0x81, 1, 0x78)));
    await until(
      () => connection.invalidFrames === frames,
      () => connection.invalidFrames,
      60_000,
    );
    expect(Object.fromEntries(counts)).toEqual({ 'too-short': frames });
    expect(excess).toBeGreaterThan(0);
    socket.send('{"type":"patchSession","sessionId":0}');
    await once(connection, 'patchSession');
  });

  it('accepts no frame beyond 16 MiB: ends the connection, and dials again', async () => {
    const connection = await connect();
    const socket = await worker.connection(0);
    const end = once(connection, 'disconnected');
    // Parts of one message: its length is not announced.
    for (let part = 0; part < 17; part++) socket.send(Buffer.alloc(1024 * 1024, 'x'), { fin: false });
    expect(await end).toEqual(['the connection broke']);
    expect(connection.invalidFrames).toBe(0);
    const again = await worker.connection(1);
    again.send(report);
    await once(connection, 'report');
    expect(connection.current).toBe(true);
  });

  it('sends nothing while it may not act, and then everything in order', async () => {
    let mayAct = false;
    const connection = await connect({ mayAct: () => mayAct });
    await worker.connection(0);
    for (const id of ['a;a', 'b;b', 'c;c'])
      connection.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: id } });
    await sleep(100);
    expect(worker.received).toEqual([]);
    mayAct = true;
    await until(() => worker.received.length === 4);
    expect(
      worker.received.map(
        (command) =>
          (command as { payload?: { subscriptionIdentifier: string } }).payload?.subscriptionIdentifier ??
          command.type,
      ),
    ).toEqual(['requestState', 'a;a', 'b;b', 'c;c']);
  });

  it('asks for the state before all else, also when commands wait for the socket', async () => {
    const connection = await connect();
    connection.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: 'a;a' } });
    expect(connection.open).toBe(false);
    await until(() => worker.received.length === 2);
    expect(worker.received.map(({ type }) => type)).toEqual(['requestState', 'unsubscribe']);
  });

  it('says that its connection broke if that ends without a closing frame', async () => {
    const connection = await connect();
    const end = once(connection, 'disconnected');
    (await worker.connection(0)).terminate();
    expect(await end).toEqual(['the connection broke']);
  });

  it('gives up a socket that is open and silent, and dials again', async () => {
    // A busy machine can take longer than the silence until a report arrives: each connection brings one.
    worker.greeting = report;
    const connection = await connect({ limits: { silence: 500, eviction: 60_000 } });
    await once(connection, 'report');
    expect(await once(connection, 'disconnected')).toEqual(['no report for 0.5 s']);
    expect(connection.state()).toBe('Suspect');
    await once(connection, 'report');
    expect(connection.state()).toBe('Ready');
  });

  it('pauses the socket of a worker whose frames wait, holds no more than the budget, and reads all in the end', async () => {
    const frames = 100;
    const budget = { ...defaultWorkerLimits, unreadBytes: 1024 * 1024, unreadFrames: 50 };
    // Each frame costs a clock that stands still otherwise as much as 20 turns of the event loop give.
    let now = 0;
    const inbox = new FrameInbox(() => now);
    const connection = await connect({ inbox, budget });
    const excess: string[] = [];
    let most = 0;
    connection.on('excess', (kind) => excess.push(kind));
    connection.on('invalid', () => {
      now += 20;
      most = Math.max(most, connection.unreadBytes);
    });
    const socket = await worker.connection(0);
    for (let n = 0; n < frames; n++) socket.send(Buffer.alloc(100_000, 'x'), { binary: false });
    await until(() => connection.invalidFrames === frames);
    expect(new Set(excess)).toEqual(new Set(['unread']));
    expect(excess.length).toBeGreaterThan(2);
    // The last chunk that the socket delivers may end several frames.
    expect(most).toBeLessThan(2 * budget.unreadBytes);
  });

  it('does not take a worker for silent whose report waits behind its other frames', async () => {
    let now = 0;
    const connection = await connect({
      inbox: new FrameInbox(() => now),
      limits: { silence: 1_000, eviction: 60_000 },
    });
    connection.on('invalid', () => (now += 1e9));
    const socket = await worker.connection(0);
    socket.send(report);
    await once(connection, 'report');
    const since = performance.now();
    // The first frame costs more turns than the test has time.
    socket.send('x'.repeat(100));
    socket.send('x'.repeat(100));
    socket.send(report);
    await until(() => connection.unread === 1);
    // The clock of the inbox, and so the time that frames have waited, goes with the real one.
    const tick = setInterval(() => (now = 1e9 + performance.now() - since), 10);
    try {
      await until(() => performance.now() - since > 1_500);
      expect([connection.open, connection.state()]).toEqual([true, 'Ready']);
      // A worker whose frames always wait is given up all the same.
      await until(() => !connection.open);
      expect(performance.now() - since).toBeGreaterThan(1_900);
    } finally {
      clearInterval(tick);
    }
  });

  it('refuses detections above their limit, counts and names them, and takes others', async () => {
    const invalid: string[][] = [];
    const seen: string[] = [];
    const connection = await connect({
      budget: { ...defaultWorkerLimits, detectionBytes: 2_000 },
      onDetection: (_message, _frame, id) => seen.push(id),
    });
    connection.on('invalid', (kind, detail) => invalid.push([kind, detail]));
    const socket = await worker.connection(0);
    const padded = (length: number, more: object = {}) => {
      const text = JSON.stringify({ ...(JSON.parse(detection) as object), ...more, padding: '' });
      return text.replace('"padding":""', `"padding":"${'x'.repeat(length - text.length)}"`);
    };
    socket.send(padded(2_000));
    socket.send(padded(2_001));
    // Its type is escaped, so only the parser knows that it is a detection.
    socket.send(padded(2_001).replace('imageDetection', 'image\\u0044etection'));
    socket.send(detection);
    await until(() => seen.length === 2);
    const detail =
      'a detection of 2001 bytes; at most 2000 are accepted (option workerLimits.detectionBytes)';
    await until(() => invalid.length === 2);
    expect(invalid[0]).toEqual(['detection-too-large', detail]);
    expect(invalid[1]).toEqual(['detection-too-large', detail.replace('2001', '2006')]);
    expect(connection.invalidFrames).toBe(2);
  });

  it('drops detections beyond their rate, and none of the reports', async () => {
    const excess: string[] = [];
    let [detections, reports] = [0, 0];
    const connection = await connect({
      budget: { ...defaultWorkerLimits, detectionsPerSecond: 20 },
      onDetection: () => detections++,
    });
    connection.on('excess', (kind) => excess.push(kind));
    connection.on('report', () => reports++);
    const socket = await worker.connection(0);
    for (let n = 0; n < 500; n++) {
      socket.send(detection);
      if (n % 50 === 0) socket.send(report);
    }
    await until(() => detections + excess.length === 500 && reports === 10);
    expect(new Set(excess)).toEqual(new Set(['rate']));
    expect(detections).toBeGreaterThanOrEqual(20);
  });

  it('still reads after release, but sends nothing and does not dial again', async () => {
    let detections = 0;
    const connection = await connect({ onDetection: () => detections++ });
    const socket = await worker.connection(0);
    socket.send(report);
    await once(connection, 'report');
    await until(() => worker.received.length === 1);
    connection.release();
    connection.send({ type: 'requestState' });
    socket.send(detection);
    await until(() => detections === 1);
    expect(worker.received).toHaveLength(1);
    socket.terminate();
    await once(connection, 'disconnected');
    await sleep(200);
    expect(worker.sockets).toHaveLength(1);
  });

  it('sends no waiting command after it is released', async () => {
    let mayAct = true;
    const connection = await connect({ mayAct: () => mayAct });
    const socket = await worker.connection(0);
    await until(() => worker.received.length === 1);
    connection.send({ type: 'requestState' });
    mayAct = false;
    connection.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: 'a;a' } });
    connection.release();
    mayAct = true;
    await until(() => worker.received.length >= 2);
    await sleep(50);
    expect(socket.readyState).toBe(socket.OPEN);
    expect(worker.received.map(({ type }) => type)).toEqual(['requestState', 'requestState']);
  });

  describe('that falls silent', () => {
    it('stays open and reads, and says nothing', async () => {
      let detections = 0;
      const connection = await connect({ onDetection: () => detections++ });
      const socket = await worker.connection(0);
      await until(() => worker.received.length === 1 && connection.allRead);
      connection.release();
      connection.fallSilent();
      socket.send(detection);
      await until(() => detections === 1);
      expect(
        connection.reply({
          type: 'patchSessionResult',
          payload: { sessionId: 1, success: true, message: '' },
        }),
      ).toBe(false);
      expect(connection.open).toBe(true);
      expect(worker.received).toHaveLength(1);
    });

    it('is dropped if the worker has not shown that it has read the last command', async () => {
      const connection = await connect();
      const socket = await worker.connection(0);
      await until(() => worker.received.length === 1 && connection.allRead);
      socket.pause();
      const written = new Promise<void>((resolve) =>
        connection.send(
          { type: 'unsubscribe', payload: { subscriptionIdentifier: 'a;a' } },
          { written: resolve },
        ),
      );
      await written;
      // Reports prove nothing: they come whether or not the worker reads.
      const reported = once(connection, 'report');
      socket.send(report);
      await reported;
      connection.release();
      expect(connection.open).toBe(true);
      connection.fallSilent();
      expect(connection.open).toBe(false);
    });

    it('is dropped if it still was being opened', async () => {
      const connection = await connect();
      connection.release();
      connection.fallSilent();
      await until(() => worker.sockets.every(({ readyState }) => readyState === WebSocket.CLOSED));
      expect(connection.open).toBe(false);
    });
  });

  it('emits nothing more after terminate', async () => {
    const connection = await connect();
    await worker.connection(0);
    let events = 0;
    connection.on('disconnected', () => events++);
    connection.terminate();
    await sleep(100);
    expect(events).toBe(0);
    expect(worker.sockets).toHaveLength(1);
  });

  it('counts the time to eviction from the first attempt, and not from the wait for its turn', async () => {
    const dialLimiter = new DialLimiter(5);
    // The only place of hosts that have not answered yet.
    const giveBack = await dialLimiter.acquire(false);
    const connection = await connect({ dialLimiter, limits: { silence: 500, eviction: 60_000 } });
    expect(connection.state(performance.now() + 3_600_000)).toBe('Connecting');
    giveBack();
    await once(connection, 'connecting');
    expect(connection.state(performance.now() + 59_000)).toBe('Connecting');
    expect(connection.state(performance.now() + 60_001)).toBe('Offline');
  });
});
