import fc from 'fast-check';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sealerFor, TermSeal } from './term-seal.js';

const text = 'rtsp://user:hunter2@cäm/1';

describe('TermSeal', () => {
  it('opens any text that was sealed for its key and context', () => {
    const seal = new TermSeal(7);
    const sealers = [sealerFor(seal.key), sealerFor(structuredClone(seal.key))];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.nat(1), (any, context, process) => {
        const sealed = sealers[process]!.seal(any, context);
        expect(seal.open(sealed, context)).toBe(any);
        expect(sealers[process]!.seal(any, context)).not.toBe(sealed);
        expect(seal.open(sealed, `${context}x`)).toBeNull();
      }),
    );
  });

  it('opens nothing that was sealed for another term, or for another master of the same term', () => {
    const seal = new TermSeal(7);
    for (const other of [new TermSeal(7), new TermSeal(8)])
      expect(seal.open(sealerFor(other.key).seal(text, 'd;c'), 'd;c')).toBeNull();
    const renamed = sealerFor({ ...seal.key, term: 8 });
    expect(seal.open(renamed.seal(text, 'd;c'), 'd;c')).toBeNull();
  });

  it('does not open a text with any change, or any other text', () => {
    const seal = new TermSeal(7);
    const sealed = sealerFor(seal.key).seal(text, 'd;c');
    expect(seal.open(sealed, 'd;c')).toBe(text);
    for (let i = 0; i < sealed.length - 1; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(seal.open(changed, 'd;c')).toBeNull();
    }
    fc.assert(fc.property(fc.string(), (any) => seal.open(any, 'd;c') === null));
    const zeros = Buffer.alloc(32).toString('base64url');
    expect(seal.open(sealed.replace(/:[^:]+:/, `:${zeros}:`), 'd;c')).toBeNull();
  });

  it.each(['', 'x', Buffer.alloc(32).toString('base64url'), 'A'.repeat(44)])(
    'has no sealer for a key that is not a public key: "%s"',
    (publicKey) => expect(() => sealerFor({ term: 1, publicKey })).toThrow(),
  );

  it('shows no private key in JSON or in logs', () => {
    const seal = new TermSeal(7);
    expect(Object.keys(JSON.parse(JSON.stringify(seal)) as object)).toEqual(['key']);
    expect(inspect(seal, { depth: 9, showHidden: true })).not.toMatch(/KeyObject|Buffer|Map/);
    expect(inspect(sealerFor(seal.key), { depth: 9 })).not.toMatch(/KeyObject|Buffer/);
  });
});
