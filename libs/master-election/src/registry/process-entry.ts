import type { ProcessCapabilities, RegisteredProcess } from '../shared/process-info.js';
import { FIRST_FORMATS } from './format-levels.js';

/** A process as the registry stores it, without derived fields. */
export type ProcessEntry = Omit<RegisteredProcess, 'channelName'>;

/** Candidate id of a process in the election. Unique for each start, even if an option set the node id. */
export function candidateIdOf({ nodeId, bootId }: Pick<ProcessEntry, 'nodeId' | 'bootId'>): string {
  return nodeId.endsWith(`:${bootId}`) ? nodeId : `${nodeId}:${bootId}`;
}

/** Channel for messages to a process. */
export function channelOf(processId: string): string {
  return `worker:slave:${processId}`;
}

/** Parses a stored entry; `undefined` when it is invalid. */
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
    formatLevel,
  } = value as Partial<Record<keyof ProcessEntry, unknown>>;
  const texts = [processId, lastSeen, bootId, identifier, registeredAt];
  if (!texts.every((text): text is string => typeof text === 'string')) return undefined;
  if (!isCapabilities(capabilities)) return undefined;
  return {
    processId: processId as string,
    nodeId: processId as string,
    identifier: identifier as string,
    role: role === 'master' ? 'master' : 'slave',
    lastSeen: lastSeen as string,
    registeredAt: registeredAt as string,
    capabilities,
    metadata: typeof metadata === 'object' && metadata !== null ? (metadata as ProcessEntry['metadata']) : {},
    bootId: bootId as string,
    showsPresence: showsPresence === true,
    formatLevel: typeof formatLevel === 'number' ? formatLevel : FIRST_FORMATS.level,
  };
}

function isCapabilities(value: unknown): value is ProcessCapabilities {
  if (typeof value !== 'object' || value === null) return false;
  const { canProcessDetections, maxSubscriptions, preferredWorkload } = value as Record<string, unknown>;
  return (
    typeof canProcessDetections === 'boolean' &&
    Number.isFinite(maxSubscriptions) &&
    Number.isFinite(preferredWorkload)
  );
}
