const SECRET_PARAMETER =
  /([?&;](?:[^=&;#]*(?:pass|pwd|secret|token|signature|credential|api[-_]?key|accesskey|auth)[^=&;#]*|sig|key|pw))=[^&;#]*/gi;

/**
 * The URL without user name and password, and with the values of query parameters that look like secrets masked: fit for
 * logs, state and metrics. Never throws: in text that is no URL everything up to the last "@" of its authority is dropped.
 */
export function redactUrl(url: string): string {
  // A password that holds "/", "?" or "#" unescaped makes the URL unreadable; then the last "@" of all ends it.
  const readable = URL.canParse(url) && /^[a-z][a-z0-9+.-]*:\/\//i.test(url);
  const userInfo = readable ? /^([^/]*\/\/)[^/?#]*@/ : /^([a-z][a-z0-9+.-]*:\/\/|\/\/|).*@/is;
  return url.replace(userInfo, '$1').replace(SECRET_PARAMETER, '$1=***');
}

/** The URL without query string and fragment: what may be kept of a presigned URL. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
