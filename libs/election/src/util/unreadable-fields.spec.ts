import { expect, it } from 'vitest';
import { UnreadableFields } from './unreadable-fields.js';

it('reports unreadable fields once until they change, and the first of many', () => {
  const reports: string[] = [];
  const fields = new UnreadableFields('key', (message) => reports.push(message));
  for (const unreadable of [[], ['a'], ['a'], [], ['a'], ['a', 'b']]) fields.note(unreadable);
  expect(reports.map((report) => report.split(': ')[1])).toEqual(['a', 'a', 'a, b']);
  fields.note(Array.from({ length: 23 }, (_, n) => `f${n}`));
  expect(reports.at(-1)).toMatch(/^key has .* f19 and 3 more$/);
});
