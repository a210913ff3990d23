import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { PlainWorker } from './plain-worker.fixture.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const TIMEOUT = 40_000;

/** The network between the master and a worker. Once it is cut, connections stay open and carry nothing. */
class Link {
  private readonly sockets = new Set<Socket>();
  private cutOff = false;

  private constructor(
    private readonly server: Server,
    private readonly worker: PlainWorker,
  ) {
    server.on('connection', (socket) => {
      const on = connect(Number(new URL(worker.url).port), '127.0.0.1');
      for (const [one, other] of [
        [socket, on],
        [on, socket],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
        one.on('data', (data) => !this.cutOff && other.write(data));
      }
    });
  }

  static async open(): Promise<Link> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Link(server, await PlainWorker.start());
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.cutOff = true;
  }

  report(): void {
    this.worker.report();
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await this.worker.stop();
  }
}

let master: ClusterProcess;
let links: Link[];
let reporting: NodeJS.Timeout;

beforeEach(async () => {
  links = await Promise.all(Array.from({ length: 4 }, () => Link.open()));
  reporting = setInterval(() => {
    for (const link of links) link.report();
  }, 1_000);
  master = await ClusterProcess.start({
    prefix: `{${randomUUID()}}:`,
    workers: links.map(({ url }) => url),
  });
  await eventually('all workers', TIMEOUT, async () =>
    (await master.cluster.getState()).workers.every(({ state }) => state === 'Ready'),
  );
  await master.cluster.regenerate();
});
afterEach(async () => {
  clearInterval(reporting);
  await master.stop();
  for (const link of links) await link.stop();
});

const types = async () => (await master.cluster.listEvents()).map(({ type }) => type);

it('workers that are stopped together and refuse connections do not count as a failure of the network', async () => {
  await Promise.all(links.splice(1).map((link) => link.stop()));
  await eventually(
    'the loss',
    TIMEOUT,
    async () => (await types()).filter((type) => type === 'worker-offline').length === 3,
  );
  await sleep(6_000);
  expect((await types()).filter((type) => type.startsWith('cluster-'))).toEqual([]);
});

it('workers that fall silent together count as a failure of the network', async () => {
  for (const link of links.slice(1)) link.cut();
  await eventually('the event', TIMEOUT, async () => (await types()).includes('cluster-frozen'));
  expect(await types()).not.toContain('cluster-thawed');
});
