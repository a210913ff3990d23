// Many reference workers in one process. PORT is the port of the host itself, which returns the workers' ports. PORTS_FILE
// keeps them over a restart. Each worker gets the rest of the environment. HISTORY gets the commands that they carry out.
import { freePort } from '@detector-cluster/dev-services';
import { CommandExecutor, createWorkerApp, readEnvironment } from '@detector-cluster/detector-worker';
import type { HistoryLine } from '@detector-cluster/history';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { WORKERS = '1', PORTS_FILE = '', PORT = '0', HISTORY = '', ...env } = process.env;

/** Commands that change what a worker runs. */
const CHANGES: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe', 'setSubscriptionList']);

function knownPorts(): number[] {
  try {
    return JSON.parse(readFileSync(PORTS_FILE, 'utf8')) as number[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @param port undefined: any free one */
async function startWorker(number: number, port: number | undefined): Promise<number> {
  const worker = `${env.HOST_NAME}-${number}`;
  const environment = readEnvironment({ ...env, WORKER_NAME: worker });
  if (!environment.ok) throw new Error(environment.problems.join('\n'));
  const app = await createWorkerApp(environment.options, false);
  const fencing = environment.options.fencing === 'on';
  const executor = app.get(CommandExecutor);
  const execute = executor.execute.bind(executor);
  executor.execute = (command, from) => {
    const { type } = command;
    const { term } = from;
    const line: HistoryLine = {
      command: { worker, process: process.pid, type, term, fencing, at: Date.now() },
    };
    if (CHANGES.has(type)) appendFileSync(HISTORY, `${JSON.stringify(line)}\n`);
    execute(command, from);
  };
  for (let listens = false; !listens;) {
    try {
      await app.listen(port ?? (await freePort()), '127.0.0.1');
      listens = true;
    } catch (error) {
      // Another worker or process was faster to take the port.
      if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  return (app.getHttpServer().address() as AddressInfo).port;
}

// The host listens first, because a worker takes any free port and could get this one.
let answer: string | null = null;
const server = createServer((_, response) => response.writeHead(answer === null ? 503 : 200).end(answer));
server.listen(Number(PORT), '127.0.0.1');
await once(server, 'listening');

const known = knownPorts();
const ports = await Promise.all(
  Array.from({ length: Number(WORKERS) }, (_, i) => startWorker(i + 1, known[i])),
);
writeFileSync(PORTS_FILE, JSON.stringify(ports));
answer = JSON.stringify(ports);
