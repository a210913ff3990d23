// Bundles programs, into `dist/bundle` of the workspace for applications and the chaos scenarios, and into `test/support/dist` for
// children of tests. To load the thousand modules of cms-backend one by one, Node needs a second of processor time; for the bundle it
// needs a quarter of that.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const children = readdirSync(join(root, 'test/support')).filter((name) => name.endsWith('-child.mjs'));

/** Folders for bundles, with the programs in them. */
const BUNDLES = {
  'apps/cms-backend/dist/bundle': ['apps/cms-backend/dist/main.js'],
  'apps/detector-worker/dist/bundle': ['apps/detector-worker/dist/main.js'],
  'tools/chaos/dist/bundle': [
    'tools/chaos/dist/delivery/journalled-backend.child.js',
    'tools/chaos/dist/support/worker-host.child.js',
    'tools/chaos/dist/scenarios/flooder.child.js',
  ],
  'test/support/dist': children.map((name) => `test/support/${name}`),
};

for (const [folder, programs] of Object.entries(BUNDLES)) {
  const dir = join(root, folder);
  rmSync(dir, { recursive: true, force: true });
  // One at a time: programs of one bundle would share chunks, and a program can be such a chunk, which runs with the others.
  for (const program of programs) {
    const bundle = await rolldown({
      input: join(root, program),
      platform: 'node',
      // Nest imports optional packages. What is not installed stays an import.
      checks: { unresolvedImport: false, ineffectiveDynamicImport: false },
    });
    // In one file each, because decorators in a chunk would run before `reflect-metadata`. Nest and the logs show names of classes.
    await bundle.write({ dir, format: 'esm', keepNames: true, codeSplitting: false });
  }
}
