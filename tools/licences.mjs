import { readdirSync, readFileSync } from 'node:fs';
import { MIT_BY_FILE, packages, shipped } from './shipped-packages.mjs';

/**
 * Fails if a dependency has a licence that is not listed here. Packages that libraries, applications and samples ship must have a
 * permissive licence. Development tools may also have a licence with conditions for changes of the tool itself.
 */

const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT and ISC',
  '(MIT OR CC0-1.0)',
  'Python-2.0',
  'Unlicense',
];
const FOR_DEVELOPMENT = ['CC-BY-4.0', 'EPL-2.0', 'MPL-2.0'];

const MIT_GRANT = 'Permission is hereby granted, free of charge';

function licenceOf(path, name) {
  if (!MIT_BY_FILE.includes(name)) return packages[path].license;
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  const grants =
    file !== undefined && readFileSync(`${path}/${file}`, 'utf8').replaceAll(/\s+/g, ' ').includes(MIT_GRANT);
  return grants ? 'MIT' : undefined;
}

const users = shipped(['libs/', 'apps/', 'samples/']);
const problems = [];
let count = 0;
for (const [path, { link, optional }] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || link) continue;
  count++;
  const name = path.split('node_modules/').at(-1);
  const allowed = users.has(path) ? PERMISSIVE : [...PERMISSIVE, ...FOR_DEVELOPMENT];
  let licence;
  try {
    licence = licenceOf(path, name);
  } catch (error) {
    // Packages for other platforms are not installed.
    if (optional) continue;
    throw error;
  }
  if (!allowed.includes(licence)) problems.push(`${path}: ${licence ?? 'no licence that is known'}`);
}
for (const problem of problems) console.error(problem);
console.log(
  `${count} packages, ${users.size} of them shipped: ${problems.length} without an allowed licence`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
