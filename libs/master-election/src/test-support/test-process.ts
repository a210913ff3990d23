import { Test, type TestingModule } from '@nestjs/testing';
import { MasterElection } from '../election/master-election.js';
import { MasterElectionModule } from '../master-election.module.js';
import type { MasterElectionOptions } from '../shared/master-election-options.js';
import { silentLogger } from './silent-logger.js';

/** A master keeps its lease, and its right to act, while a busy machine lets its process stand still for three seconds. */
export const TEST_TIMING = {
  lockTtl: 7_000,
  heartbeatInterval: 1_000,
  checkInterval: 300,
  presenceValidity: 4_000,
  presenceGrace: 5_000,
};

/** One application with the module, and the events that its listeners received. */
export interface TestProcess {
  readonly app: TestingModule;
  readonly election: MasterElection;
  /** Names of events with their most telling argument, in order; errors by name. */
  readonly events: string[];
  readonly errors: (Error & { readonly code?: string })[];
}

export async function startTestProcess(options: MasterElectionOptions): Promise<TestProcess> {
  const created = await createTestProcess(options);
  await created.app.init();
  return created;
}

/** A process that does not take part before its application is initialized. */
export async function createTestProcess(options: MasterElectionOptions): Promise<TestProcess> {
  const module = await Test.createTestingModule({
    imports: [MasterElectionModule.forRoot({ ...TEST_TIMING, ...options })],
  })
    .setLogger(silentLogger)
    .compile();
  const election = module.get(MasterElection);
  const events: string[] = [];
  election.on('master-acquired', () => events.push('master-acquired'));
  election.on('master-lost', ({ reason }) => events.push(`master-lost ${reason}`));
  election.on('election-started', () => events.push('election-started'));
  election.on('election-completed', (isMaster) => events.push(`election-completed ${isMaster}`));
  election.on('slave-registered', ({ nodeId }) => events.push(`slave-registered ${nodeId}`));
  election.on('slave-removed', (nodeId) => events.push(`slave-removed ${nodeId}`));
  const errors: Error[] = [];
  election.on('error', (error) => {
    errors.push(error);
    events.push(`error ${error.name}`);
  });
  return { app: module, election, events, errors };
}
