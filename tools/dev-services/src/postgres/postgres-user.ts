import { readFileSync } from 'node:fs';

/**
 * The user that runs Postgres, which refuses to run as root. `undefined`: this process is not root and runs it itself.
 * Otherwise an existing user of the machine: `postgres`, or the unprivileged user 65534.
 */
export function postgresUser(
  passwd = () => readFileSync('/etc/passwd', 'utf8'),
): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = passwd()
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([, , uid]) => uid === '65534');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65534, gid: 65534 };
}
