import { waitFor } from '@detector-cluster/local-cluster';
import { History } from '@detector-cluster/history';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { StarvationWatch } from './starvation-watch.js';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'starvation-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** At a low priority, so that it takes no processor from others. */
function startLoop(): number {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  children.push(child);
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  return child.pid!;
}

describe.skipIf(process.platform !== 'linux')('StarvationWatch', () => {
  it('notes processes that want more of the processors than there is', async () => {
    const busy = Array.from({ length: 5 * availableParallelism() }, startLoop);
    const header = { scenario: 'none', seed: 1, acceptance: 'none', promises: [] } as const;
    const history = History.create(join(folder, 'history.jsonl'), header);
    const watch = new StarvationWatch(() => busy, history);
    try {
      await waitFor('all to be starved', 100_000, () => {
        history.read();
        return new Set(history.starved.map((each) => each.process)).size === busy.length;
      });
      expect(history.starved.filter(({ ms }) => ms < 500)).toEqual([]);
    } finally {
      watch.end();
      history.close();
    }
  });
});
