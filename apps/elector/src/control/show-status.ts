import type { ElectionControl } from '@detector-cluster/election';

/** Prints the leader. Returns the exit code: 1 if there is none. */
export async function showStatus(
  control: ElectionControl,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const leader = await control.leader();
  if (json) print(JSON.stringify(leader ?? { leaderId: null }));
  else print(leader ? `${leader.leaderId} leads in term ${leader.term}` : 'no leader');
  return leader ? 0 : 1;
}
