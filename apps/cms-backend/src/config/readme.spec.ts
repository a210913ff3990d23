import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentSchema, SECRET_VARIABLES } from './environment.schema.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** The variables in the first column of the table, and the variables that have a dagger. */
const names = readme
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|')[1]!);
const documented = names.flatMap((cell) =>
  [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
);
const byFile = names.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)` †/g)].map(([, name]) => name));

describe('the README', () => {
  it('has every variable, and no other', () => {
    expect(documented.sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it('marks those that may be given by file', () => {
    expect(byFile.sort()).toEqual([...SECRET_VARIABLES].sort());
  });
});
