import { MasterElection } from '@detector-cluster/master-election';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { migrate } from './migrate.js';

@Injectable()
export class MigrationService implements OnModuleInit {
  constructor(private readonly election: MasterElection) {}

  /** Nest starts nothing that serves requests before this has resolved, in the replica that migrates and in all others. */
  async onModuleInit(): Promise<void> {
    const migrated = await this.election.runOnce(
      // A new migration is a new key.
      'migrate:2026-11-plates',
      ({ signal }) => migrate(signal),
      // How long the claim of a replica lasts that dies over it; 10 s by default, here less, for something to see.
      { leaseTtl: 2_000 },
    );
    console.log(migrated ? 'has migrated' : 'has waited for the migration');
  }
}
