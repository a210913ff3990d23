import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { LeaderLibrary } from './leader-library.js';

const LEASE_MS = { default: 30_000, fast: 3_000 } as const;

/** Our library, in a Nest application as in the README. */
export function masterElection(timing: 'default' | 'fast'): LeaderLibrary {
  return {
    store: 'redis',
    leaseMs: LEASE_MS[timing],
    join: async ({ storeUrl, lock, onElected }) => {
      @Module({ imports: [MasterElectionModule.forRoot({ redis: storeUrl, lockName: lock, timing })] })
      class CandidateModule {}
      const app = await NestFactory.createApplicationContext(CandidateModule, { logger: false });
      const election = app.get(MasterElection);
      election.on('master-acquired', () => onElected());
      // The first election may be over by now.
      if (election.getIsMaster()) onElected();
      return {
        isLeader: () => election.lease?.isValid() ?? false,
        leave: () => app.close(),
      };
    },
  };
}
