import { describe, expect, it } from 'vitest';
import { dialProblem, NO_DESCRIPTOR } from './dial-problem.js';

const coded = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe('dialProblem', () => {
  it.each([
    ['EMFILE', `${NO_DESCRIPTOR} (EMFILE)`],
    ['CERT_HAS_EXPIRED', 'its certificate has expired (CERT_HAS_EXPIRED)'],
    ['EOTHER', 'connect EOTHER'],
  ])('says what %s means', (code, problem) => {
    expect(dialProblem(coded(code), false)).toBe(problem);
  });
});
