import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutatedText } from '../fixtures/mutated-text.fixture.js';
import { JsonScanner, scannedNames } from './json-scanner.js';

const scanner = new JsonScanner();

function accepts(text: string | Buffer): boolean {
  scanner.reset(Buffer.from(text as string));
  return scanner.value() && scanner.ends();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JsonScanner', () => {
  it('accepts JSON with any white space', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n\t\r'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        // The scanner does not read a name with an escape.
        fc.pre(!/\\.[^"]*":/.test(text));
        expect(accepts(text)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses every text that JSON.parse refuses', () => {
    const seen = { accepted: 0, refused: 0 };
    const texts = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(mutatedText(texts), (text) => {
        const accepted = accepts(text);
        seen[accepted ? 'accepted' : 'refused']++;
        if (accepted) expect(isJson(text)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(seen.accepted).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(500);
  });

  it.each(
    ['0', '-0', '10', '1.5', '-1.5e10', '1E-2', '1e+2', '"\\u00Af\\n\\/"', '"\u{1F600}"', '[]', '{}'].concat([
      '[[],{}]',
      '{"a":[1,{"b":null}]}',
      ' true ',
      'false',
      'null',
      '""',
      '{"":1}',
    ]),
  )('accepts %s', (text) => {
    expect([accepts(text), isJson(text)]).toEqual([true, true]);
  });

  it.each(
    ['', ' ', '01', '-', '+1', '.5', '1.', '1e', '1e+', '0x1', 'NaN', 'tru', 'nulll', 'True', "'a'"].concat(
      ['"', '"\n"', '"\\x"', '"\\u12g4"', '"\\u123"', '"\\', '[1,]', '[,1]', '[1 2]', '[', '[1', ']'],
      ['{"a"}', '{"a":}', '{"a":1,}', '{,}', '{a:1}', '{"a":1', '{"a":1]', '[1}', '{"a" 1}', '1 2', '{}{}'],
    ),
  )('refuses %j', (text) => {
    expect([accepts(text), isJson(text)]).toEqual([false, false]);
  });

  it('gives up on deep nesting', () => {
    expect([accepts(nested(32)), accepts(nested(33)), accepts(nested(100_000))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(accepts(`[${'[],'.repeat(1_000)}[]]`)).toBe(true);
  });

  it('finds a name among others of the same length', () => {
    const names = scannedNames(['modelId', 'carYear', 'x']);
    const indexOf = (text: string) => {
      scanner.reset(Buffer.from(JSON.stringify(text)));
      expect(scanner.string()).toBe(true);
      return scanner.indexIn(names);
    };
    expect(['modelId', 'carYear', 'x', 'carYeah', 'y', '', 'muchLongerThanAny'].map(indexOf)).toEqual([
      0, 1, 2, -1, -1, -1, -1,
    ]);
  });
});
