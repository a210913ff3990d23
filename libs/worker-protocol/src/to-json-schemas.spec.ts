import { describe, expect, it } from 'vitest';
import { readSchemaFiles } from './fixtures/json-schema-files.fixture.js';
import { toJsonSchemas } from './to-json-schemas.js';

describe('toJsonSchemas', () => {
  it('returns the contents of the published files', () => {
    const { commands, messages } = JSON.parse(JSON.stringify(toJsonSchemas())) as ReturnType<
      typeof toJsonSchemas
    >;
    expect(commands).toEqual(Object.fromEntries(readSchemaFiles('commands')));
    expect(messages).toEqual(Object.fromEntries(readSchemaFiles('messages')));
  });
});
