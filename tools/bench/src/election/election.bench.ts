import { startRedis } from '@detector-cluster/dev-services';
import { RedisElectionBackend } from '@detector-cluster/election/redis';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { percentile, timed } from '../support/percentile.js';

const ELECTIONS = 200;
const REGISTRATIONS = 500;

/** An election that nobody contests, from the start of the campaign on a fresh connection; and the registry's upsert. */
export async function electionBench() {
  const redis = await startRedis();
  try {
    // A store that has just started elects nobody: an old leader could still be valid.
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    const elections: number[] = [];
    for (let run = 0; run < ELECTIONS; run++) elections.push(await uncontested(redis.url));
    return {
      bench: 'election',
      uncontestedP50Ms: percentile(elections, 0.5),
      uncontestedP99Ms: percentile(elections, 0.99),
      ...(await registrations(redis.url)),
      runs: ELECTIONS,
    };
  } finally {
    await redis.stop();
  }
}

async function uncontested(url: string): Promise<number> {
  const backend = new RedisElectionBackend({ redis: url, lockName: `bench-${randomUUID()}`, timing: 'fast' });
  const end = new AbortController();
  try {
    return await timed(async () => {
      for await (const state of backend.campaign({ id: `bench:${randomUUID()}` }, end.signal))
        if (state.role === 'leader') break;
    });
  } finally {
    end.abort();
    await backend.close();
  }
}

async function registrations(url: string): Promise<{ registerP50Ms: number; registerP99Ms: number }> {
  @Module({
    imports: [
      MasterElectionModule.forRoot({ redis: url, timing: 'fast', lockName: `bench-${randomUUID()}` }),
    ],
  })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  const election = app.get(MasterElection);
  await election.waitForElectionComplete();
  const samples: number[] = [];
  for (let run = 0; run < REGISTRATIONS; run++) {
    const processId = `bench:${run}`;
    samples.push(
      await timed(() =>
        election.registerProcess({
          processId,
          nodeId: processId,
          role: 'slave',
          lastSeen: new Date().toISOString(),
          capabilities: { canProcessDetections: true, maxSubscriptions: 100, preferredWorkload: 80 },
        }),
      ),
    );
  }
  await app.close();
  return { registerP50Ms: percentile(samples, 0.5), registerP99Ms: percentile(samples, 0.99) };
}
