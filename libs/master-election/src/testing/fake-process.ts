import type { ProcessCapabilities } from '../model/process-capabilities.js';
import type { ProcessEntry } from '../registry/process-entry.js';

/** Another process, as a test describes it. */
export interface FakeProcess {
  readonly nodeId: string;
  readonly identifier?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly capabilities?: Partial<ProcessCapabilities>;
}

/** The registry entry of such a process. */
export function entryOf({
  nodeId,
  identifier = 'fake',
  metadata = {},
  capabilities,
}: FakeProcess): ProcessEntry {
  const now = new Date().toISOString();
  return {
    processId: nodeId,
    nodeId,
    identifier,
    role: 'slave',
    lastSeen: now,
    registeredAt: now,
    capabilities: {
      canProcessDetections: true,
      maxSubscriptions: 100,
      preferredWorkload: 80,
      ...capabilities,
    },
    metadata,
    bootId: 'fake',
    showsPresence: true,
  };
}
