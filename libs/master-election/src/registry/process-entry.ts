import type { RegisteredProcess } from '../model/process-info.js';

/** A process as the registry stores it; what follows from other facts is left out. */
export type ProcessEntry = Omit<RegisteredProcess, 'channelName'>;

/** The name under which a process campaigns; unique for each of its starts, also if its node id is a given one. */
export function candidateIdOf({ nodeId, bootId }: Pick<ProcessEntry, 'nodeId' | 'bootId'>): string {
  return nodeId.endsWith(`:${bootId}`) ? nodeId : `${nodeId}:${bootId}`;
}

/** Where messages for a process go. */
export function channelOf(processId: string): string {
  return `worker:slave:${processId}`;
}

/** Reads a stored entry; `undefined` when it is not one. */
export function parseProcessEntry(text: string): ProcessEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    processId,
    lastSeen,
    bootId,
    identifier,
    registeredAt,
    capabilities,
    metadata,
    role,
    showsPresence,
  } = value as Partial<Record<keyof ProcessEntry, unknown>>;
  const texts = [processId, lastSeen, bootId, identifier, registeredAt];
  if (!texts.every((text): text is string => typeof text === 'string')) return undefined;
  if (typeof capabilities !== 'object' || capabilities === null) return undefined;
  return {
    processId: processId as string,
    nodeId: processId as string,
    identifier: identifier as string,
    role: role === 'master' ? 'master' : 'slave',
    lastSeen: lastSeen as string,
    registeredAt: registeredAt as string,
    capabilities: capabilities as ProcessEntry['capabilities'],
    metadata: typeof metadata === 'object' && metadata !== null ? (metadata as ProcessEntry['metadata']) : {},
    bootId: bootId as string,
    showsPresence: showsPresence === true,
  };
}
