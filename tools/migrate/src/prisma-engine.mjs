// Prisma's own schema engine in a separate process, because it keeps its connections open and has no way to close them.
//   node prisma-engine.mjs <database url> apply|diagnose|script
// prints the result as JSON, for the schema and the migrations of this repository.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../prisma');
const read = (...path) => readFileSync(join(folder, ...path), 'utf8');
const schema = { path: 'schema.prisma', content: read('schema.prisma') };
const migrationsList = {
  baseDir: join(folder, 'migrations'),
  shadowDbInitScript: '',
  lockfile: { path: 'migration_lock.toml', content: read('migrations', 'migration_lock.toml') },
  migrationDirectories: readdirSync(join(folder, 'migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: read('migrations', name, 'migration.sql') },
      },
    })),
};
const filters = { externalTables: [], externalEnums: [] };
const commands = {
  apply: (engine) => engine.applyMigrations({ migrationsList, filters }),
  diagnose: (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters }),
  script: (engine) =>
    engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters,
    }),
};

const [url, command] = process.argv.slice(2);
const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
const { instance } = await WebAssembly.instantiate(
  readFileSync(join(dirname(file), 'schema_engine_bg.wasm')),
  { './schema_engine_bg.js': bindings },
);
// oxlint-disable no-underscore-dangle -- wasm-bindgen chose these names
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }));
const engine = await bindings.SchemaEngine.new(
  { datamodels: [[schema.path, schema.content]] },
  () => undefined,
  adapter,
);
const result = await commands[command](engine);
process.stdout.write(JSON.stringify(result), () => process.exit(0));
