import type { ProcessRole, RegisteredProcess } from '../model/process-info.js';
import type { SlaveNode } from '../model/slave-node.js';
import { candidateIdOf, channelOf, type ProcessEntry } from '../registry/process-entry.js';
import type { RegistrySnapshot } from '../registry/process-registry.js';

/** The processes of a registry snapshot; their roles follow from the holder of the lease. */
export function directoryOf(
  { entries }: Pick<RegistrySnapshot, 'entries'>,
  leaderId: string | null,
): RegisteredProcess[] {
  return entries.map((entry) => {
    const role: ProcessRole = leaderId !== null && candidateIdOf(entry) === leaderId ? 'master' : 'slave';
    return { ...entry, role, channelName: channelOf(entry.processId) };
  });
}

export function slaveOf({ nodeId, identifier, registeredAt, lastSeen, metadata }: ProcessEntry): SlaveNode {
  return { nodeId, identifier, registeredAt, lastSeen, metadata };
}
