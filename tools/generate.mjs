// Writes all generated files: one TypeScript module per folder of Lua scripts, the JSON Schemas of the worker protocol, the alert
// rules of the service, and the Prisma client. `--check` does not write committed files, and fails if one of them is stale.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');

function foldersWithLua(dir, found = []) {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (entries.some((e) => e.isFile() && e.name.endsWith('.lua'))) found.push(dir);
  for (const e of entries)
    if (e.isDirectory() && e.name !== 'node_modules' && e.name !== 'dist')
      foldersWithLua(join(dir, e.name), found);
  return found;
}

const camel = (name) => name.replace(/[-_](\w)/g, (_, c) => c.toUpperCase());

// `-- @include name.lua` is replaced by the text of that file. Its path is relative to the including file. Files whose names begin
// with `_` are only for inclusion.
const luaOf = (folder, file) =>
  readFileSync(join(folder, file), 'utf8').replace(/^-- @include (\S+)\n/gm, (_, name) =>
    luaOf(dirname(join(folder, name)), basename(name)),
  );

function scriptsModule(folder) {
  const files = readdirSync(folder)
    .filter((f) => f.endsWith('.lua') && !f.startsWith('_'))
    .sort();
  const scripts = files.map(
    (f) =>
      `export const ${camel(basename(f, '.lua'))} = ${JSON.stringify(withoutComments(luaOf(folder, f)))};\n`,
  );
  return `// Generated from the Lua files of this folder by \`npm run generate\`. Do not edit.\n${scripts.join('')}`;
}

/** Drops comments, because Redis does not need them. Keeps line breaks, so that line numbers in errors stay correct. */
const withoutComments = (lua) => lua.replace(/^[ \t]*--.*$/gm, '').replace(/\s+$/, '\n');

let stale = 0;

/** Writes `text` to `target`, or removes it if `text` is null. With `--check`, reports a difference instead. */
function put(target, text) {
  const present = existsSync(target) ? readFileSync(target, 'utf8') : null;
  if (present === text) return;
  if (check) {
    console.error(`stale: ${relative(root, target)} (run: npm run generate)`);
    stale++;
  } else if (text === null) rmSync(target);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

for (const workspace of ['libs', 'apps'].flatMap((d) =>
  readdirSync(join(root, d)).map((n) => join(root, d, n, 'src')),
))
  for (const folder of existsSync(workspace) ? foldersWithLua(workspace) : [])
    put(join(folder, 'scripts.generated.ts'), scriptsModule(folder));

// The schemas are made from the built library: their source is TypeScript, which the oldest supported Node does not run.
const protocol = join(root, 'libs/worker-protocol');
const built = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', protocol], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
const { toJsonSchemas } = await import(pathToFileURL(join(protocol, 'dist/index.js')).href);
for (const [direction, schemas] of Object.entries(toJsonSchemas())) {
  const folder = join(protocol, 'schemas', direction);
  const names = Object.keys(schemas).map((type) => `${type}.schema.json`);
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!names.includes(name)) put(join(folder, name), null);
  for (const [type, schema] of Object.entries(schemas)) {
    const filepath = join(folder, `${type}.schema.json`);
    put(filepath, await format(JSON.stringify(schema), { ...(await resolveConfig(filepath)), filepath }));
  }
}

/** The service evaluates some of the rules for Prometheus itself, with their severities, delays and labels. */
const { groups } = parse(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'));
const rules = groups
  .flatMap((group) => group.rules)
  .map(({ alert, expr, labels, for: delay = '0m' }) => {
    const minutes = /^(\d+)m$/.exec(delay)?.[1];
    if (minutes === undefined) throw new Error(`${alert}: give "for" in minutes, such as 5m`);
    const election = /\bby \([^)]*\belection\b/.test(expr);
    return `  ${alert}: { severity: '${labels.severity}', for: ${Number(minutes) * 60_000}, election: ${election} },\n`;
  });
const rulesFile = join(root, 'apps/cms-backend/src/alerts/prometheus-rules.generated.ts');
put(
  rulesFile,
  `// Generated from deploy/prometheus/alerts.yml by \`npm run generate\`. Do not edit.\nexport const PROMETHEUS_RULES = {\n${rules.join('')}} as const;\n`,
);
if (stale > 0) process.exit(1);
if (check) process.exit(0);

// Generated clients are not committed. They are generated again only if their schema or Prisma itself has changed.
const newest = (...files) => Math.max(...files.map((f) => statSync(f).mtimeMs));

/** Makes the client for the schema in `prisma/` of a folder, as configured in its `prisma.config.ts`. */
function generateClient(folder, client) {
  const schema = join(root, folder, 'prisma/schema.prisma');
  const made = join(root, client, 'client.ts');
  if (!existsSync(schema)) return;
  const sources = newest(schema, join(root, 'node_modules/prisma/package.json'));
  if (existsSync(made) && statSync(made).mtimeMs >= sources) return;
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/prisma/build/index.js'), 'generate'],
    {
      cwd: join(root, folder),
      stdio: ['ignore', 'ignore', 'inherit'],
      // `generate` needs no schema engine, but the CLI would download one if it finds none.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? '/bin/true',
      },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

generateClient('.', 'apps/cms-backend/src/generated/prisma');
generateClient('samples/004-detector-cluster', 'samples/004-detector-cluster/src/generated/prisma');
