import type { Elector } from '@detector-cluster/election';
import type { Registry, RegistrySnapshot } from '../registry/process-registry.js';
import type { TickRecord } from '../schedule/tick-record.js';
import type { ProcessRole, RegisteredProcess, SlaveNode } from '../shared/process-info.js';
import { candidateIdOf, channelOf, type ProcessEntry } from '../registry/process-entry.js';

/** What a process shares with the others: the election, the registry of processes, the record of scheduled jobs. */
export interface Cluster {
  readonly registry: Registry;
  readonly elector: Elector;
  readonly ticks: TickRecord;
  /** How often the master looks for processes that joined or left. Milliseconds; default 500. */
  readonly lookInterval?: number;
  close(): Promise<void>;
}

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
