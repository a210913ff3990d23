import { isAlive } from '@detector-cluster/dev-services';
import type { AppProcess, ClusterStateAnswer } from '@detector-cluster/local-cluster';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, get as httpGet } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Figures, ScenarioContext } from '../scenario.js';
import { Crowd } from '../support/crowd.js';
import { backendThatIs, deliverThrough, type FaultFigures } from '../support/deliver-through.js';
import { pause, until } from '../support/until.js';

const run = promisify(execFile);

/** How long the master has no free descriptor. Milliseconds. */
const LASTS = { full: 20_000, short: 4_000 };
/** A master waits up to 10 s before it dials a worker again. Milliseconds. A short run has other programs beside it. */
const MAX_BACK = { full: 15_000, short: 30_000 };
/** Of the master. A slow machine can cost it its lease. */
const MAX_CHANGES = { full: 0, short: 1 };
/** Clients beyond what the master can serve. They take the descriptors that it gives up. */
const WAITING = 12;
/** Milliseconds. */
const ANSWER = 10_000;
const SAYS = /file descriptor/;

interface Limited {
  /** The master still runs. */
  readonly survived: boolean;
  /** From the relief until every worker was ready. Milliseconds. */
  readonly workersBackMs: number;
}

/**
 * Many clients connect to the master, until it has as many files and connections open as its limit allows (`ulimit -n`). Then it loses
 * its connections to the workers, and clients take the descriptors.
 */
export async function descriptorsScenario(context: ScenarioContext): Promise<Figures> {
  const { signal, short } = context;
  const length = short ? 'short' : 'full';
  try {
    await limitOf(process.pid);
  } catch {
    return { ok: true, skipped: 'the scenario needs the program prlimit' };
  }
  return deliverThrough<Limited>(
    context,
    {},
    async (faulted) => {
      const { stage } = faulted;
      const master = await backendThatIs('master', faulted, signal);
      const limit = await limitOf(master.pid);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const crowd = new Crowd(master.port);
      const ask = (path: string) => askOver(agent, master, path);
      const says = async (path: string) => SAYS.test(await ask(path));
      const ended = () => !isAlive(master.pid);
      try {
        await ask('/health/ready');
        const used = await descriptorsOf(master.pid);
        const most = Math.max(...used) + 1;
        await setLimit(master.pid, most);
        crowd.gather(most - used.length + WAITING);
        await until(signal, 'the reason in the state of every worker', async () => {
          for (const link of stage.links) link.cut();
          if (ended()) return true;
          const { workers } = JSON.parse(await ask('/api/cluster/state')) as ClusterStateAnswer;
          return workers.every(({ problem }) => problem !== null && SAYS.test(problem));
        });
        await until(
          signal,
          'the reason in health and in the log',
          async () => ended() || ((await says('/health/ready')) && SAYS.test(await master.log())),
        );
        await pause(LASTS[length], signal);
      } finally {
        agent.destroy();
        crowd.leave();
        if (!ended()) await setLimit(master.pid, limit);
      }
      const relief = performance.now();
      await stage.allReady();
      return { survived: !ended(), workersBackMs: Math.round(performance.now() - relief) };
    },
    ({ survived, changes, workersBackMs }: FaultFigures & Limited) =>
      survived && changes <= MAX_CHANGES[length] && workersBackMs <= MAX_BACK[length],
  );
}

async function limitOf(pid: number): Promise<number> {
  const args = ['--pid', String(pid), '--nofile', '--output=SOFT', '--noheadings'];
  const { stdout } = await run('prlimit', args);
  return Number(stdout.trim());
}

async function setLimit(pid: number, limit: number): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}

async function descriptorsOf(pid: number): Promise<number[]> {
  return (await readdir(`/proc/${pid}/fd`)).map(Number);
}

/** Over a connection that is kept. */
async function askOver(agent: Agent, { url }: AppProcess, path: string): Promise<string> {
  const request = httpGet(`${url}${path}`, { agent, signal: AbortSignal.timeout(ANSWER) });
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  return text(response);
}
