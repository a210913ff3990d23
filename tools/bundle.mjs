// Bundles both applications into `dist/bundle` of their folders. To load the thousand modules of cms-backend one by one, Node needs a
// second of processor time; for the bundle it needs a quarter of that.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

for (const app of ['cms-backend', 'detector-worker']) {
  const dist = fileURLToPath(new URL(`../apps/${app}/dist`, import.meta.url));
  const dir = `${dist}/bundle`;
  rmSync(dir, { recursive: true, force: true });
  const bundle = await rolldown({
    input: `${dist}/main.js`,
    platform: 'node',
    // Nest imports optional packages. What is not installed stays an import.
    checks: { unresolvedImport: false, ineffectiveDynamicImport: false },
  });
  // Nest and the logs show names of classes.
  await bundle.write({ dir, format: 'esm', keepNames: true });
}
