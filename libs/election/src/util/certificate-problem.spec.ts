import { describe, expect, it } from 'vitest';
import { certificateProblem } from './certificate-problem.js';

const coded = (code: unknown) => Object.assign(new Error('text'), { code });

describe('certificateProblem', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ])('says what %s means', (code, text) => {
    expect(certificateProblem(coded(code))).toBe(text);
  });

  it('finds the certificate in the cause of an error', () => {
    const cause = coded('CERT_HAS_EXPIRED');
    expect(certificateProblem(new Error('cannot be reached', { cause }))).toMatch(/expired/);
  });

  it.each([coded('ECONNREFUSED'), coded(5), coded('constructor'), new Error('text'), 'text', null])(
    'finds none in %s',
    (error) => {
      expect(certificateProblem(error)).toBeUndefined();
    },
  );
});
