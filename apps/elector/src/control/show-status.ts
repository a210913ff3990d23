import type { ElectionControl } from '@detector-cluster/election';

/** Says who leads. Returns the exit code: 1 when nobody does. */
export async function showStatus(
  control: ElectionControl,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const leader = await control.leader();
  if (json) print(JSON.stringify(leader ?? { leaderId: null }));
  else print(leader ? `${leader.leaderId} leads in term ${leader.term}` : 'nobody leads');
  return leader ? 0 : 1;
}
