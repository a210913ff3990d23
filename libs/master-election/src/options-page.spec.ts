import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { MasterElectionOptions } from './shared/master-election-options.js';
import { resolveOptions } from './shared/resolve-options.js';

const textOf = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');

/** Rows of the tables of a text, as a map of options to defaults. */
const defaultsIn = (text: string) =>
  new Map(
    Array.from(text.matchAll(/^\| ((?:`\w+`(?:, )?)+) +\| (.+?) +\|/gm)).flatMap(([, names, value]) =>
      Array.from(names!.matchAll(/`(\w+)`/g), ([, name]): [string, string] => [name!, value!]),
    ),
  );

const page = textOf('options.md').split('## DetectorClusterModule')[0]!;
const tuning = textOf('election.md').split('## Tuning')[1]!;

/** The compiler ensures that this lists all of them. */
const OPTIONS: Readonly<Record<keyof MasterElectionOptions | 'isGlobal', true>> = {
  redis: true,
  lockName: true,
  timing: true,
  lockTtl: true,
  heartbeatInterval: true,
  checkInterval: true,
  crashDetection: true,
  presenceGrace: true,
  presenceValidity: true,
  presenceLook: true,
  confirmInterval: true,
  handoverTimeout: true,
  identifier: true,
  nodeId: true,
  metadata: true,
  capabilities: true,
  backend: true,
  isGlobal: true,
};

it('docs/options.md names every option of MasterElectionModule', () => {
  expect(Object.keys(OPTIONS).filter((name) => !new RegExp(`\`${name}[\`.]`).test(page))).toEqual([]);
});

it('docs/options.md and docs/election.md give the actual defaults', () => {
  const resolved: Readonly<Record<string, unknown>> = { ...resolveOptions({ redis: 'redis://r' }) };
  const documented = [defaultsIn(page), defaultsIn(tuning)].flatMap((defaults) => [...defaults]);
  const numbers = documented.filter(([, value]) => value.endsWith(' ms'));
  expect(numbers.length).toBeGreaterThan(9);
  for (const [name, value] of numbers)
    expect(`${name} ${value}`).toBe(`${name} ${Number(resolved[name]).toLocaleString('en-US')} ms`);
  expect(defaultsIn(page).get('lockName')).toBe(`\`${String(resolved.lockName)}\``);
});
