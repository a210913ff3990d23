/**
 * Whether the member of this name answers on the port. The name is compared because between the search for a free port
 * and the start another program's server may have taken it. Reading the members goes through the leader, so a server
 * that answers also takes writes.
 */
export async function etcdReady(port: number, name: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v3/cluster/member/list`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(1_000),
    });
    if (!response.ok) return false;
    const { members } = (await response.json()) as { members?: { name?: string }[] };
    return members?.some((member) => member.name === name) ?? false;
  } catch {
    return false;
  }
}
