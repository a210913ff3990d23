import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandArbitrary, messageArbitrary } from './fixtures/arbitraries.fixture.js';
import { encodeCommand, encodeWorkerMessage, parseWorkerCommand, parseWorkerMessage } from './frames.js';

describe('round trip', () => {
  it('returns every encoded command unchanged', () => {
    fc.assert(
      fc.property(commandArbitrary, fc.boolean(), (command, asBytes) => {
        const frame = encodeCommand(command);
        expect(parseWorkerCommand(asBytes ? Buffer.from(frame) : frame)).toEqual({ ok: true, command });
      }),
    );
  });

  it('returns every encoded message unchanged, including unknown fields', () => {
    fc.assert(
      fc.property(messageArbitrary, fc.boolean(), (message, asBytes) => {
        const frame = encodeWorkerMessage(message);
        expect(parseWorkerMessage(asBytes ? Buffer.from(frame) : frame)).toEqual({ ok: true, message });
      }),
    );
  });
});
