import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(__dirname, '../..');

interface Project {
  readonly root: string;
  readonly sourceRoot: string;
  readonly entryFile: string;
  readonly compilerOptions: { readonly tsConfigPath: string };
}

const { projects } = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8')) as {
  projects: Record<string, Project>;
};

it('has every library and every application of Nest as a project', () => {
  const folders = ['libs', 'apps']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => ['index.ts', 'main.ts'].some((file) => existsSync(join(root, folder, 'src', file))));
  expect(
    Object.values(projects)
      .map((project) => project.root)
      .sort(),
  ).toEqual(folders.sort());
  for (const { sourceRoot, entryFile, compilerOptions } of Object.values(projects)) {
    expect(existsSync(join(root, sourceRoot, `${entryFile}.ts`))).toBe(true);
    expect(existsSync(join(root, compilerOptions.tsConfigPath))).toBe(true);
  }
});

it('starts an application by `nest start`', async () => {
  const nest = join(root, 'node_modules/.bin/nest');
  const child = spawn(nest, ['start', 'detector-worker'], {
    cwd: root,
    // The program and the application that it starts end together.
    detached: true,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  try {
    let output = '';
    const listening = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
          if (output.includes('"listening":')) resolve();
        });
    });
    const ended = exit.then(() => Promise.reject(new Error(`nest start ended:\n${output}`)));
    await Promise.race([listening, ended]);
    expect(output).toMatch(/"listening":\d+/);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await exit.catch(() => undefined);
  }
}, 240_000);
