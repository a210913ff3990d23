import { existsSync, readFileSync } from 'node:fs';
import { runCommand } from '../support/run-command.js';
import { findOnPath } from '../support/find-on-path.js';

/** The distribution and package archive of this machine. */
export interface DebianHost {
  /** `debian`, `ubuntu`, …, as in os-release. */
  distribution: string;
  /** Code name of the installed release: `bookworm`, `noble`, …. */
  suite: string;
  /** `amd64`, `arm64`, …. */
  architecture: string;
  /** Base addresses of the archive, from the machine's own apt configuration. */
  mirrors: string[];
  /** Keys that sign the archive; `null` leaves the choice to apt. */
  keyring: string | null;
}

const KEYRINGS = ['pgp', 'gpg'].flatMap((extension) =>
  ['debian', 'ubuntu'].map(
    (name) => [name, `/usr/share/keyrings/${name}-archive-keyring.${extension}`] as const,
  ),
);
const ROLLING = new Set(['stable', 'oldstable', 'testing', 'unstable', 'sid']);

/**
 * Describes this machine. apt itself reads its configuration, so that both formats of source lists and mirrors behind every
 * method work.
 * @throws Error without apt and dpkg, and when no source of the main archive is configured.
 */
export async function debianHost(): Promise<DebianHost> {
  const missing = ['apt-get', 'apt-config', 'dpkg', 'dpkg-deb'].filter((tool) => !findOnPath(tool));
  if (missing.length > 0) throw new Error(`not a Debian-like machine: ${missing.join(', ')} not found`);
  const release = osRelease();
  const suite = release.VERSION_CODENAME ?? 'stable';
  const distribution = release.ID ?? 'debian';
  const uris = await runCommand('apt-get', ['update', '--print-uris']);
  const mirrors = new Set<string>();
  for (const [, base, name] of uris.matchAll(/^'(\S+)\/dists\/([^/\s]+)\/main\/binary-/gm))
    if (name === suite || ROLLING.has(name!)) mirrors.add(base!);
  if (mirrors.size === 0) throw new Error(`apt has no source for "${suite} main"`);
  const architecture = (await runCommand('dpkg', ['--print-architecture'])).trim();
  const keyring = KEYRINGS.find(([name, file]) => name === distribution && existsSync(file))?.[1] ?? null;
  return { distribution, suite, architecture, mirrors: [...mirrors], keyring };
}

function osRelease(): Record<string, string> {
  const file = ['/etc/os-release', '/usr/lib/os-release'].find((path) => existsSync(path));
  const text = file ? readFileSync(file, 'utf8') : '';
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, key, value]) => [key!, value!]),
  );
}
