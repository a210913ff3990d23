import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { z } from 'zod';
import { commandArbitrary, messageArbitrary } from './fixtures/arbitraries.fixture.js';
import { toJsonSchemas } from './to-json-schemas.js';

const { commands, messages } = toJsonSchemas();
type Source = Parameters<typeof z.fromJSONSchema>[0];
const compile = (schemas: object) =>
  new Map(Object.entries(schemas).map(([type, schema]) => [type, z.fromJSONSchema(schema as Source)]));

describe('toJsonSchemas', () => {
  it('describes every type of both directions as plain JSON', () => {
    expect(Object.keys(commands).sort()).toEqual([
      'patchSessionResult',
      'requestState',
      'setSessionId',
      'subscribe',
      'unsubscribe',
    ]);
    expect(Object.keys(messages).sort()).toEqual(['imageDetection', 'patchSession', 'stateReport']);
    expect(JSON.parse(JSON.stringify({ commands, messages }))).toEqual({ commands, messages });
  });

  it('accepts every valid message when a schema is read back', () => {
    const compiled = new Map([...compile(commands), ...compile(messages)]);
    fc.assert(
      fc.property(fc.oneof(commandArbitrary, messageArbitrary), (value) => {
        expect(compiled.get(value.type)!.safeParse(value).error).toBeUndefined();
      }),
    );
  });

  it('refuses what the protocol refuses', () => {
    const compiled = new Map([...compile(commands), ...compile(messages)]);
    const refused = [
      { type: 'subscribe', payload: { subscriptionIdentifier: 'a;b' } },
      { type: 'imageDetection', subscriptionIdentifier: 'a;b', timestamp: 'yesterday', data: {} },
      { type: 'stateReport', cameraConnections: [{ subscriptionIdentifier: 'a;b', online: 'yes' }] },
    ];
    for (const value of refused) expect(compiled.get(value.type)!.safeParse(value).success).toBe(false);
  });
});
