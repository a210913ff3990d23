const NOT_TRUSTED = 'its certificate is not trusted';

/** What OpenSSL and Node object to in a certificate of a server, by `code`. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
]);

/** What is wrong with the certificate of a server that an error is about, for people; undefined if the error is about something else. */
export function certificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return ('code' in error && PROBLEMS.get(error.code)) || certificateProblem(error.cause);
}
