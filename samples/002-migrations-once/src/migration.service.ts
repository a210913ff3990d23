import { MasterElection } from '@detector-cluster/master-election';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { migrate } from './migrate.js';

@Injectable()
export class MigrationService implements OnModuleInit {
  constructor(private readonly election: MasterElection) {}

  /** In every replica, Nest serves no requests before this has resolved. */
  async onModuleInit(): Promise<void> {
    const migrated = await this.election.runOnce(
      // Each new migration needs a new key.
      'migrate:2026-11-plates',
      ({ signal }) => migrate(signal),
      // How long the claim of a dead replica lasts. Less than the default of 10 s, so that the sample is quick.
      { leaseTtl: 5_000 },
    );
    console.log(migrated ? 'has migrated' : 'has waited for the migration');
  }
}
