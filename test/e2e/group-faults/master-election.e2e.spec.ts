import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { endChild } from '../../support/end-child.js';
import { randomPrefix } from '../../support/random-prefix.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = fileURLToPath(new URL('../../support/dist/group-master-child.js', import.meta.url));
const OPTIONS = {
  secret: 'a secret of the tests',
  pingCycle: 300,
  // A master of a busy machine must stay that until it is ended.
  failureThreshold: 15,
  leaseTtl: 4_500,
  joinWait: 60,
};
const TIMEOUT = 40_000;

interface Line {
  readonly event: 'acquired' | 'lost' | 'state';
  readonly term: number;
  readonly valid?: boolean;
}

class Application {
  readonly lines: Line[] = [];
  gone = false;
  readonly child: ChildProcess;

  constructor(key: string, quorum: boolean) {
    const settings = JSON.stringify({ redis: process.env.REDIS_URL, key, options: { ...OPTIONS, quorum } });
    this.child = spawn(process.execPath, [script, settings], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout! }).on('line', (line) =>
      this.lines.push(JSON.parse(line) as Line),
    );
  }

  get leads(): boolean {
    return !this.gone && this.lines.findLast(({ event }) => event === 'state')?.valid === true;
  }

  end(signal: NodeJS.Signals): Promise<void> {
    this.gone = true;
    return endChild(this.child, signal);
  }
}

let applications: Application[] = [];
afterEach(() => Promise.all(applications.map((each) => each.end('SIGKILL'))));

// One of three that is left after two were killed is no majority; after two said goodbye it is all there is.
it.each([
  ['SIGKILL', false],
  ['SIGTERM', true],
] as const)(
  'MasterElectionModule by a group has one master, another one after %s, and terms that rise',
  async (signal, quorum) => {
    const key = randomPrefix('group-master');
    applications = Array.from({ length: 3 }, () => new Application(key, quorum));
    const master = () =>
      eventually('one master', TIMEOUT, () => {
        const leading = applications.filter(({ leads }) => leads);
        return leading.length === 1 && leading[0]!;
      });
    const terms: number[] = [];
    for (let change = 0; change < 2; change++) {
      const current = await master();
      terms.push(current.lines.findLast(({ event }) => event === 'acquired')!.term);
      await eventually('all follow it', TIMEOUT, () =>
        applications.every(({ gone, lines }) => gone || lines.at(-1)?.term === terms.at(-1)),
      );
      await current.end(signal);
    }
    const last = await master();
    terms.push(last.lines.findLast(({ event }) => event === 'acquired')!.term);
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
    const acquired = applications.flatMap(({ lines }) => lines.filter(({ event }) => event === 'acquired'));
    expect(new Set(acquired.map(({ term }) => term)).size).toBe(acquired.length);
  },
);
