import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonPointer, toProblemIssues } from './schema-validation.pipe.js';

const issuesOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

describe('toProblemIssues', () => {
  it('points at nested fields and at each unknown one', () => {
    const schema = z.strictObject({ list: z.array(z.strictObject({ n: z.int() })) });
    const issues = issuesOf(schema, { list: [{ n: 1 }, { n: 'x', y: 1, z: 2 }], other: 1 });
    expect(toProblemIssues(issues, { source: 'body' }).map(({ pointer }) => pointer)).toEqual([
      '#/list/1/n',
      '#/list/1/y',
      '#/list/1/z',
      '#/other',
    ]);
  });

  it('points at the whole body', () => {
    expect(toProblemIssues(issuesOf(z.object({}), 1), { source: 'body' })[0]).toMatchObject({ pointer: '#' });
  });

  it('names parameters', () => {
    const schema = z.strictObject({ limit: z.int() });
    expect(toProblemIssues(issuesOf(schema, { limit: 'x', page: 1 }), { source: 'query' })).toEqual([
      { parameter: 'limit', detail: expect.any(String) },
      { parameter: 'page', detail: 'is not known here' },
    ]);
    expect(toProblemIssues(issuesOf(z.int(), 'x'), { source: 'param', name: 'id' })[0]).toMatchObject({
      parameter: 'id',
    });
  });
});

describe('jsonPointer', () => {
  it('escapes', () => {
    expect(jsonPointer(['a/b', 'c~d', 'e f', '\ud800'])).toBe('#/a~1b/c~0d/e%20f/%EF%BF%BD');
  });
});
