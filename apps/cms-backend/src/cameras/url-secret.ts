/** Stands for a secret in every URL that this service returns. */
export const REDACTED = '***';

const secretName = '[^=&;/?#]*(?:pass|pwd|secret|token|signature|credential|api[-_]?key)[^=&;/?#]*';
const secretInPath = new RegExp(`(${secretName})=[^&;/]*`, 'gi');
const secretInQuery = new RegExp(`(${secretName})=[^&;#]*`, 'gi');
const redactedParameter = /=\*\*\*(?=$|[&;#/])/;

/** A URL cut in its parts, by text: what is no secret stays exactly as it was written. */
interface Parts {
  readonly scheme: string;
  readonly userInfo: string | null;
  readonly host: string;
  readonly path: string;
  /** Query and fragment. */
  readonly query: string;
}

function split(url: string): Parts {
  const [, scheme = '', rest = url] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(url) ?? [];
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)([^?#]*)(.*)$/s.exec(rest) ?? [];
  const at = authority.lastIndexOf('@');
  const userInfo = at === -1 ? null : authority.slice(0, at);
  return { scheme, userInfo, host: authority.slice(at + 1), path, query };
}

/**
 * The URL with {@link REDACTED} in place of the password of its user info and of the values of parameters whose names
 * speak of a secret, in the query and, as some cameras have them, in the path.
 */
export function redactUrl(url: string): string {
  const { scheme, userInfo, host, path, query } = split(url);
  // A "@" further on: the password is not encoded, and what looks like host and path is a part of it.
  if (hasStrayAt(url)) return `${scheme}${REDACTED}@${url.slice(url.lastIndexOf('@') + 1)}`;
  const safeUserInfo = userInfo === null ? '' : `${userInfo.replace(/:.*$/s, `:${REDACTED}`)}@`;
  const safePath = path.replaceAll(secretInPath, `$1=${REDACTED}`);
  const safeQuery = query.replaceAll(secretInQuery, `$1=${REDACTED}`);
  return `${scheme}${safeUserInfo}${host}${safePath}${safeQuery}`;
}

/** Whether the URL has {@link REDACTED} where a secret belongs, so that storing it would lose the secret. */
export function isRedacted(url: string): boolean {
  const { userInfo, path, query } = split(url);
  return (
    userInfo === REDACTED ||
    userInfo?.endsWith(`:${REDACTED}`) === true ||
    redactedParameter.test(path) ||
    redactedParameter.test(query)
  );
}

/** Whether an "@" follows the host: nearly always a password whose "/", "?" or "#" is not percent-encoded. */
export function hasStrayAt(url: string): boolean {
  const { path, query } = split(url);
  return `${path}${query}`.includes('@');
}
