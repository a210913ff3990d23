import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { workerCommandSchemas } from './worker-command.js';
import { commandArbitrary, messageArbitrary } from './fixtures/arbitraries.fixture.js';
import { brokenSomewhere } from './fixtures/broken-somewhere.fixture.js';
import { compileSchemaFiles, readSchemaFiles } from './fixtures/json-schema-files.fixture.js';
import { workerMessageSchemas } from './worker-message.js';

const zodSchemas: Readonly<Record<string, ZodType>> = { ...workerCommandSchemas, ...workerMessageSchemas };
const files = new Map([...readSchemaFiles('commands'), ...readSchemaFiles('messages')]);
const compiled = new Map([...compileSchemaFiles('commands'), ...compileSchemaFiles('messages')]);
const anyMessage = fc.oneof<fc.Arbitrary<{ type: string }>[]>(commandArbitrary, messageArbitrary);

const typesIn = (direction: 'commands' | 'messages') => [...readSchemaFiles(direction).keys()].sort();

/** The JSON blocks of the documentation. */
const examples = (
  readFileSync(new URL('../../../docs/worker-protocol.md', import.meta.url), 'utf8').match(
    /(?<=^```json\n)[^]*?(?=^```$)/gm,
  ) ?? []
).map((text) => JSON.parse(text) as { type: string });

/** Names of all properties without a description, at any depth. */
function undescribed(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...others } = schema as { properties?: Record<string, { description?: string }> };
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description === undefined ? [name] : []),
      ...undescribed(property),
    ]),
    ...Object.values(others).flatMap(undescribed),
  ];
}

describe('the JSON schema files', () => {
  it('exist for every type, in the folder of its direction', () => {
    expect(typesIn('commands')).toEqual(Object.keys(workerCommandSchemas).sort());
    expect(typesIn('messages')).toEqual(Object.keys(workerMessageSchemas).sort());
  });

  it('have an id and describe every field that is not self-explanatory', () => {
    const plain = new Set(['type', 'payload', 'data']);
    for (const [type, schema] of files) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(schema.$id).toBe(`urn:detector-cluster:worker-protocol:${type}`);
      expect(schema.description).toEqual(expect.any(String));
      expect(undescribed(schema).filter((name) => !plain.has(name))).toEqual([]);
    }
  });

  it('accept every valid message', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const validate = compiled.get(message.type)!;
        expect({ valid: validate(message), errors: validate.errors }).toEqual({ valid: true, errors: null });
      }),
      { numRuns: 500 },
    );
  });

  it('agree with the parser on messages with one error', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(brokenSomewhere(anyMessage), ({ type, candidate }) => {
        const expected = zodSchemas[type]!.safeParse(candidate).success;
        seen[expected ? 'accepted' : 'refused']++;
        expect(compiled.get(type)!(candidate)).toBe(expected);
      }),
      { numRuns: 4000 },
    );
    expect(seen.accepted).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(200);
  });
});

describe('the examples of docs/worker-protocol.md', () => {
  it('show every message', () => {
    expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(files.keys()));
  });

  it.each(examples.map((example, index) => ({ index, type: example.type, example })))(
    'are valid: $index, $type',
    ({ type, example }) => {
      const validate = compiled.get(type)!;
      expect({ valid: validate(example), errors: validate.errors }).toEqual({ valid: true, errors: null });
      expect(zodSchemas[type]!.safeParse(example).error).toBeUndefined();
    },
  );

  it('are refused if any required field is missing', () => {
    for (const example of examples) {
      const required = (files.get(example.type) as { required: string[] }).required;
      for (const field of required) {
        const { [field]: _, ...rest } = example as Record<string, unknown>;
        expect(compiled.get(example.type)!(rest)).toBe(false);
      }
    }
  });
});
