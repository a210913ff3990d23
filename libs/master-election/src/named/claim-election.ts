import type { ModulesContainer } from '@nestjs/core';
import { DuplicateElectionError } from '../errors/duplicate-election.error.js';
import type { ResolvedMasterElectionOptions } from '../options/master-election-options.js';

const elections = new WeakMap<ModulesContainer, ResolvedMasterElectionOptions[]>();

/**
 * Records an election of an application and returns its options.
 * @throws DuplicateElectionError when the application has another of the same name or lock name.
 */
export function claimElection(
  application: ModulesContainer,
  options: ResolvedMasterElectionOptions,
): ResolvedMasterElectionOptions {
  const others = elections.get(application) ?? [];
  for (const other of others)
    if (other.name === options.name || other.lockName === options.lockName)
      throw new DuplicateElectionError(other, options);
  elections.set(application, [...others, options]);
  return options;
}
