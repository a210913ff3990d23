import type { ProcessRow, Rows } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import { feed } from '../feed/feed.js';

/** Length of the part of an id that distinguishes processes. */
const SUFFIX = 4;

/** Names for people by `processId`: the identifier, plus the end of the id if several processes have the same one. */
export function processNames(processes: Rows<ProcessRow>): ReadonlyMap<string, string> {
  const rows = Object.values(processes);
  const count = new Map<string, number>();
  for (const { identifier } of rows) count.set(identifier, (count.get(identifier) ?? 0) + 1);
  return new Map(
    rows.map(({ processId, identifier }) => [
      processId,
      count.get(identifier) === 1 ? identifier : `${identifier} …${processId.slice(-SUFFIX)}`,
    ]),
  );
}

const names = computed(() => processNames(feed.processes.value));

/** The name of a process; its id if the process is gone. */
export function processName(processId: string): string {
  return names.value.get(processId) ?? processId;
}
