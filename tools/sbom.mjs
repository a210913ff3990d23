import { spawnSync } from 'node:child_process';
import { MIT_BY_FILE, packages, shipped } from './shipped-packages.mjs';

/**
 * Prints the bill of materials (CycloneDX) of the libraries' and applications' dependencies. `npm sbom --omit dev` would omit every
 * package that is also a development dependency of another package, such as ioredis.
 */

const { stdout, status } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) process.exit(status ?? 1);
const bill = JSON.parse(stdout);
/** As npm refers to components. */
const wanted = new Set(
  [...shipped(['libs/', 'apps/'])].map((path) => {
    const { name = path.split('node_modules/').at(-1), version } = packages[path];
    return `${name}@${version}`;
  }),
);
bill.components = bill.components.filter((component) => wanted.has(component['bom-ref']));
for (const component of bill.components)
  if (MIT_BY_FILE.includes(component.name)) component.licenses = [{ license: { id: 'MIT' } }];
const named = new Set(bill.components.map((component) => component['bom-ref']));
const missing = [...wanted].filter((reference) => !named.has(reference));
const kept = new Set([bill.metadata.component['bom-ref'], ...named]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
if (missing.length > 0) {
  console.error(`npm sbom does not name ${missing.join(', ')}`);
  process.exit(1);
}
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
