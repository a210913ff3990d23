import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FencingPolicy, parseTerm } from './fencing-policy.js';

describe('FencingPolicy', () => {
  it('never lets an enforcing worker obey a term below the highest it has seen', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { minLength: 1 }), (terms) => {
        const policy = new FencingPolicy(true);
        let highest = 0;
        for (const term of terms) {
          expect(policy.admits(term)).toBe(term >= highest);
          expect(policy.judge(term)).toBe(term >= highest ? 'current' : 'refused');
          if (!policy.admits(term)) continue;
          policy.observe(term);
          highest = Math.max(highest, term);
        }
        expect(policy.highestTerm).toBe(highest);
      }),
    );
  });

  it('admits every master when it does not enforce, and marks commands of lower terms', () => {
    const policy = new FencingPolicy(false);
    policy.observe(7);
    expect(policy.admits(3)).toBe(true);
    expect(policy.judge(3)).toBe('stale');
    expect(policy.judge(7)).toBe('current');
  });

  it('locks out masters without a term once one with a term has come', () => {
    const policy = new FencingPolicy(true);
    expect(policy.admits(parseTerm(undefined)!)).toBe(true);
    policy.observe(1);
    expect(policy.admits(parseTerm(undefined)!)).toBe(false);
  });
});

describe('parseTerm', () => {
  it.each([
    ['0', 0],
    ['1763681400000', 1763681400000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e9', null],
    [' 1', null],
    [['1', '2'], null],
  ])('reads %j as %j', (header, term) => {
    expect(parseTerm(header)).toBe(term);
  });
});
