import { randomUUID } from 'node:crypto';
import { freePort } from '@detector-cluster/dev-services';
import type { LoggerService } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 90_000 });

const TIMEOUT = 30_000;

function record() {
  const warnings: string[] = [];
  const note = (text: unknown) => void warnings.push(String(text));
  const logger: LoggerService = { log: () => {}, debug: () => {}, warn: note, error: note };
  return { logger, warnings };
}

describe('the log', () => {
  const running: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  it('says early and once why a worker cannot be reached', async () => {
    const { logger, warnings } = record();
    const url = `ws://127.0.0.1:${await freePort()}`;
    running.push(await ClusterProcess.start({ prefix: `{${randomUUID()}}:`, workers: [url], logger }));
    await eventually('the warning', TIMEOUT, () => warnings.length > 0);
    expect(warnings[0]).toMatch(new RegExp(`^worker ${url}.* cannot be reached: the connection is refused`));
    await eventually('the worker is given up', TIMEOUT, () => warnings.length > 1);
    expect(warnings.filter((text) => text.includes('cannot be reached'))).toHaveLength(1);
  });

  it('has no warning when a process ends as planned', async () => {
    const prefix = `{${randomUUID()}}:`;
    const worker = await TestWorker.start();
    running.push(worker);
    const first = record();
    const second = record();
    const processes: ClusterProcess[] = [];
    for (const { logger } of [first, second]) {
      const one = await ClusterProcess.start({ prefix, workers: [`ws://127.0.0.1:${worker.port}`], logger });
      processes.push(one);
      await eventually('a master', TIMEOUT, () => processes[0]!.election.getIsMaster());
    }
    running.push(processes[1]!);
    await eventually('the worker is online', TIMEOUT, async () =>
      (await processes[0]!.cluster.getState()).workers.some(({ online }) => online),
    );
    for (const { warnings } of [first, second]) warnings.splice(0);
    await processes[0]!.stop();
    await eventually('a successor', TIMEOUT, () => processes[1]!.election.getIsMaster());
    await eventually('the worker is online there', TIMEOUT, async () => {
      const { workers } = await processes[1]!.cluster.getState();
      const successor = processes[1]!.election.getNodeId();
      return workers.some(({ online, processId }) => online && processId === successor);
    });
    expect({ first: first.warnings, second: second.warnings }).toEqual({ first: [], second: [] });
  });
});
