/** Sorted connection names of each user, from `CLIENT LIST`. A connection without a name is `''`. */
export function connectionsByUser(clientList: string): Map<string, readonly string[]> {
  const byUser = new Map<string, string[]>();
  for (const line of clientList.split('\n')) {
    const fields = new Map(line.split(' ').map((field) => splitOnce(field)));
    const user = fields.get('user');
    if (user === undefined) continue;
    const names = byUser.get(user) ?? [];
    byUser.set(user, names);
    names.push(purposeOf(fields.get('name') ?? ''));
  }
  for (const names of byUser.values()) names.sort();
  return byUser;
}

/** The presence connection of a process has the channel of that process in its name. */
const purposeOf = (name: string): string => name.replace(/(?<=election:presence):.*/, '');

function splitOnce(field: string): [key: string, value: string] {
  const at = field.indexOf('=');
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
}
