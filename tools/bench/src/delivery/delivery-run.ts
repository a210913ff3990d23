import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocketServer, type WebSocket } from 'ws';
import { processorWait } from '../support/processor-wait.js';
import { sharedClock } from '../support/shared-clock.js';
import type { ChildMessage } from './bench-child.js';

const SUBSCRIPTIONS = 20;
/** Frames that may be under way when the highest rate is looked for. */
const IN_FLIGHT = 4_000;
const PATIENCE = 60_000;

/** What connects master and consumer: the file `<loop>.child.ts`. */
export type DeliveryLoop = 'raw-loop' | 'cluster-loop' | 'nest-loop';

/** What a phase at a steady rate showed. */
export interface Steady {
  /** From the worker's send to the callback. Milliseconds. */
  readonly latencies: readonly number[];
  /** For how long worker, master and consumer together stood ready without a processor; null where nobody counts that. */
  readonly waitedMs: number | null;
}

/** One worker in this process, a master and a consumer in processes of their own, connected by one of the loops. */
export class DeliveryRun {
  private sent = 0;
  private taken = 0;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly socket: WebSocket,
    private readonly children: readonly ChildProcess[],
    private readonly consumer: ChildProcess,
  ) {
    consumer.on('message', (message: ChildMessage) => {
      if (message.type === 'progress') this.taken = message.count;
    });
  }

  static async start(loop: DeliveryLoop, redis: string, prefix: string): Promise<DeliveryRun> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const file = fileURLToPath(new URL(`${loop}.child.js`, import.meta.url));
    const launch = async (role: string) => {
      const child = fork(file, [role, redis, prefix, String(port)], {
        execArgv: profileArguments(loop, role),
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => {
          throw new Error(`the ${role} of ${loop} ended with code ${code}`);
        }),
        sleep(PATIENCE, undefined, { ref: false }).then(() => {
          throw new Error(`the ${role} of ${loop} was not ready within ${PATIENCE} ms`);
        }),
      ]);
      return child;
    };
    const consumer = await launch('consumer');
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    const master = await launch('master');
    const [socket] = await connected;
    return new DeliveryRun(server, socket, [consumer, master], consumer);
  }

  /** Sends at a steady rate for `duration` milliseconds. */
  async steady(perSecond: number, duration: number): Promise<Steady> {
    this.begin();
    const waited = await this.waited();
    const start = sharedClock();
    while (sharedClock() - start < duration) {
      const due = ((sharedClock() - start) * perSecond) / 1_000;
      while (this.sent < due) this.send();
      await sleep(1);
    }
    const latencies = await this.finish();
    const waitedNow = await this.waited();
    return {
      latencies,
      waitedMs: waited === null || waitedNow === null ? null : Math.round(waitedNow - waited),
    };
  }

  /** Keeps the path full with `total` frames and returns how many came out per second. */
  async flood(total: number): Promise<number> {
    this.begin();
    const start = sharedClock();
    while (this.taken < total) {
      if (this.sent < total && this.sent - this.taken < IN_FLIGHT) this.send();
      else await sleep(1);
      if (this.sent % 100 === 0) await new Promise(setImmediate);
      if (sharedClock() - start > PATIENCE) throw new Error(`only ${this.taken} of ${total} came out`);
    }
    const rate = (total * 1_000) / (sharedClock() - start);
    await this.finish();
    return Math.round(rate);
  }

  async close(): Promise<void> {
    const exits = this.children.map((child) => once(child, 'exit'));
    // Orderly, because a killed process writes no profile.
    for (const child of this.children) child.disconnect();
    await Promise.all(exits);
    this.socket.terminate();
    this.server.close();
  }

  private begin(): void {
    this.sent = 0;
    this.taken = 0;
  }

  private async waited(): Promise<number | null> {
    const pids = [process.pid, ...this.children.map(({ pid }) => pid!)];
    const times = await Promise.all(pids.map(processorWait));
    return times.reduce((sum, time) => (sum === null || time === null ? null : sum + time), 0);
  }

  /** Waits until everything has come out, and returns the latencies; then the consumer's figures start anew. */
  private async finish(): Promise<readonly number[]> {
    let latencies: readonly number[] = [];
    const deadline = sharedClock() + PATIENCE;
    while (latencies.length < this.sent) {
      if (sharedClock() > deadline) throw new Error(`only ${latencies.length} of ${this.sent} came out`);
      await sleep(50);
      latencies = latencies.concat(await this.report());
    }
    return latencies;
  }

  private async report(): Promise<readonly number[]> {
    const signal = AbortSignal.timeout(PATIENCE);
    const reports = on(this.consumer, 'message', { signal }) as AsyncIterable<[ChildMessage]>;
    this.consumer.send('report');
    for await (const [message] of reports) if (message.type === 'report') return message.latencies;
    throw new Error('the consumer has ended');
  }

  private send(): void {
    const n = this.sent++;
    const id = n % SUBSCRIPTIONS;
    const detection = {
      carModel: 'Corolla',
      carBrand: 'Toyota',
      carYear: 2019,
      bodyType: 'sedan',
      licensePlateText: 'ABC-1234',
      licensePlateConfidence: 0.95,
      n,
      sentAt: sharedClock(),
    };
    this.socket.send(
      JSON.stringify({
        type: 'imageDetection',
        subscriptionIdentifier: `display-${id};camera-${id}`,
        timestamp: new Date().toISOString(),
        data: { detection, modelId: 1, modelName: 'vehicle-v2' },
      }),
    );
  }
}

/** `CPU_PROFILE=<directory>` writes a profile of each child there, for `--cpu-prof` viewers. */
function profileArguments(loop: DeliveryLoop, role: string): string[] {
  const directory = process.env.CPU_PROFILE;
  if (directory === undefined) return [];
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${directory}`,
    `--cpu-prof-name=${loop}-${role}-${Date.now()}.cpuprofile`,
  ];
}
