import type { ProcessRow, Rows } from '@detector-cluster/dashboard-protocol';

/** As much of an id as tells processes apart for people. */
const SUFFIX = 4;

/** Names for people by `nodeId`: the identifier, and the end of the id where several have the same one. */
export function processNames(processes: Rows<ProcessRow>): ReadonlyMap<string, string> {
  const rows = Object.values(processes);
  const count = new Map<string, number>();
  for (const { identifier } of rows) count.set(identifier, (count.get(identifier) ?? 0) + 1);
  return new Map(
    rows.map(({ nodeId, identifier }) => [
      nodeId,
      count.get(identifier) === 1 ? identifier : `${identifier} …${nodeId.slice(-SUFFIX)}`,
    ]),
  );
}

/** Of a process that may be gone already: then what its id tells. */
export function processName(names: ReadonlyMap<string, string>, nodeId: string): string {
  return names.get(nodeId) ?? nodeId;
}
