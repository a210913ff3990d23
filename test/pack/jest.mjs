// Plays docs/jest-and-commonjs.md: applications as `nest new` writes them, with the configurations of that page and the tests of
// docs/testing-your-app.md, on each supported version of Node.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../tools/nodes.mjs';
import { npmInstall } from './npm-install.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The templates of `nest new`, and the program that renders them. */
const TEMPLATES = ['nest-11@npm:@nestjs/schematics@11.1.0', 'nest-12@npm:@nestjs/schematics@12.0.6'];
const RENDERER = '@angular-devkit/schematics-cli@22.2.0';

/** Versions of Node besides the present one. */
const NODES = [22, 24];

const NEST_11 = { '@nestjs/schedule': '6.1.3', ioredis: '5.11.1' };
const NEST_12 = { '@nestjs/schedule': '12', ioredis: '6' };

/** `page` is the folder of the configuration on the page. */
const APPLICATIONS = [
  { name: 'nest-11-jest-30', template: 'nest-11', page: 'nest-11-commonjs', more: NEST_11 },
  {
    name: 'nest-11-jest-29',
    template: 'nest-11',
    page: 'nest-11-commonjs',
    more: { ...NEST_11, jest: '29', '@types/jest': '29' },
  },
  { name: 'nest-12', template: 'nest-12', page: 'nest-12-commonjs', more: NEST_12 },
  {
    name: 'nest-12-esm',
    template: 'nest-12',
    page: 'nest-12-esm',
    more: { ...NEST_12, jest: '30', '@types/jest': '30', 'ts-jest': '29' },
  },
];

/** What `nest new` installs and neither the build nor the tests need. */
const NOT_NEEDED =
  /eslint|prettier|supertest|oxlint|globals|mau|source-map-support|ts-node|ts-loader|vite|tsconfig-paths/;

/**
 * @param {string} directory an empty folder
 * @param {Map<string, string>} archives package to archive
 * @param {(file: string, args: string[], options?: object) => Promise<string>} run
 */
export async function playJest(directory, archives, run) {
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  await npmInstall(directory, [...TEMPLATES, RENDERER], run);
  const page = await readFile(join(root, 'docs/jest-and-commonjs.md'), 'utf8');
  const [, packages] = /npm install --save-dev (.*)/.exec(page);
  await Promise.all(
    APPLICATIONS.map((application) =>
      create(directory, application, { page, archives, extra: packages.split(' ') }, run),
    ),
  );
  for (const { name } of APPLICATIONS) await compile(join(directory, name), name, run);
  for (const major of [null, ...NODES])
    for (const { name, page: folder } of APPLICATIONS) {
      const env = major === null ? process.env : environmentOf(major);
      await test(join(directory, name), folder.endsWith('-esm'), env, run);
    }
}

async function create(directory, { name, template, page: folder, more }, { page, archives, extra }, run) {
  const type = folder.endsWith('-esm') ? 'esm' : 'cjs';
  const options = [`--name=${name}`, '--language=ts', ...(template === 'nest-12' ? [`--type=${type}`] : [])];
  await run(
    join(directory, 'node_modules/.bin/schematics'),
    [`./node_modules/${template}:application`, '--no-dry-run', ...options],
    { cwd: directory },
  );
  const application = join(directory, name);
  const manifest = JSON.parse(await readFile(join(application, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(manifest.devDependencies))
    if (NOT_NEEDED.test(dependency)) delete manifest.devDependencies[dependency];
  delete manifest.jest;
  for (const [dependency, version] of Object.entries(more)) {
    delete manifest.devDependencies[dependency];
    manifest.dependencies[dependency] = version;
  }
  for (const [dependency, archive] of archives) manifest.dependencies[dependency] = `file:${archive}`;
  await writeFile(join(application, 'package.json'), JSON.stringify(manifest, null, 2));
  for (const file of ['jest.config.ts', 'vitest.config.ts', 'vitest.config.e2e.ts', 'test'])
    await rm(join(application, file), { recursive: true, force: true });
  const configuration = new RegExp(
    `<!-- file: ${folder}/jest.config.cjs -->\\s+\`\`\`js\\n([\\s\\S]*?)\`\`\``,
  );
  await writeFile(join(application, 'jest.config.cjs'), configuration.exec(page)[1]);
  await writeTests(join(application, 'src'), type);
  await npmInstall(application, type === 'esm' ? [] : extra, run);
}

/** The two changes that the page names. */
async function writeTests(source, type) {
  const text = await readFile(join(root, 'docs/testing-your-app.md'), 'utf8');
  for (const [, file, block] of text.matchAll(
    /<!-- file: ((?:reporter|gate|plates)\.\S+) -->\s+```ts\n([\s\S]*?)```/g,
  )) {
    const globals = block.replace(/^import .* from 'vitest';\n/m, '');
    const adapted = type === 'cjs' ? globals.replaceAll(/from '(\.\/\w+)\.js'/g, "from '$1'") : globals;
    await mkdir(dirname(join(source, file)), { recursive: true });
    await writeFile(join(source, file), adapted);
  }
}

async function compile(application, name, run) {
  const tsc = join(application, 'node_modules/typescript/bin/tsc');
  const types = ['--types', 'node,jest', '--noEmit', '--incremental', 'false'];
  await run(process.execPath, [tsc, '-p', application, ...types], { cwd: application });
  if (!name.startsWith('nest-11')) return;
  // What `nest new` wrote before Nest 11.1.
  const older = [
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
    '--resolvePackageJsonExports',
    'false',
  ];
  await run(process.execPath, [tsc, '-p', application, ...types, ...older], { cwd: application });
}

async function test(application, isEsm, env, run) {
  const jest = join(application, 'node_modules/jest/bin/jest.js');
  const flags = isEsm ? ['--experimental-vm-modules', '--no-warnings'] : [];
  await run('node', [...flags, jest, '--ci'], { cwd: application, env });
}
