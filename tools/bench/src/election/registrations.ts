import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { timed } from '../support/percentile.js';

/** Durations of `runs` registrations of another process, one after the other. Milliseconds. */
export async function registrations(redis: string, runs: number): Promise<number[]> {
  @Module({
    imports: [MasterElectionModule.forRoot({ redis, timing: 'fast', lockName: `bench-${randomUUID()}` })],
  })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  try {
    const election = app.get(MasterElection);
    await election.waitForElectionComplete();
    const took: number[] = [];
    for (let run = 0; run < runs; run++) {
      const processId = `bench:${run}`;
      took.push(
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
    return took;
  } finally {
    await app.close();
  }
}
