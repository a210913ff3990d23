/** Replaces hidden parts. */
export const REDACTED = '***';

const SCHEME = /^[a-z][a-z0-9+.-]{0,31}:\/\//i;

/** Parts of names of query parameters whose values are secret, and whole names. */
const SECRET_PARTS = [
  'pass',
  'pwd',
  'psw',
  'secret',
  'token',
  'signature',
  'credential',
  'auth',
  'apikey',
  'api-key',
  'api_key',
  'accesskey',
];
const SECRET_NAMES = ['sig', 'key', 'pw'];

/**
 * The URL of a service (a worker, Redis, a database, a store of models) without user name and password, and with the values of
 * query parameters masked whose names speak of a secret. The rest of the URL stays, because it distinguishes services. URLs of cameras
 * need {@link redactCameraUrl}. Never throws; linear time. In text that is not a URL, everything up to the last "@" is dropped.
 */
export function redactUrl(url: string): string {
  const scheme = SCHEME.exec(url)?.[0] ?? (url.startsWith('//') ? '//' : '');
  const rest = url.slice(scheme.length);
  // A password that holds "/", "?" or "#" unescaped makes the URL unreadable.
  const readable = scheme.length > 2 && URL.canParse(url);
  const userInfoEnd = rest.lastIndexOf('@', readable ? authorityEnd(rest) : rest.length);
  return scheme + withoutSecretParameters(rest.slice(userInfoEnd + 1));
}

/** The name of a worker everywhere: its URL as {@link redactUrl} shows it, without slashes at the end. */
export function workerIdOf(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return redactUrl(url.slice(0, end));
}

/**
 * The URL of a camera as people and Redis may see it: scheme, host, port, and the parts of the path that are words or numbers which
 * cameras use in paths. {@link REDACTED} replaces everything else, because makers put credentials into user info, paths, queries
 * and fragments under many names. Never throws; linear time; the result is its own redaction.
 */
export function redactCameraUrl(url: string): string {
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined) return REDACTED;
  const rest = url.slice(scheme.length);
  const end = authorityEnd(rest);
  // An "@" after the authority belongs to a password that is not percent-encoded: what looks like the host may be a part of it.
  if (rest.lastIndexOf('@') >= end) return scheme + REDACTED;
  const at = rest.lastIndexOf('@', end);
  const host = rest.slice(at + 1, end);
  const pathEnd = firstOf(rest, end, '?#');
  const path = rest
    .slice(end, pathEnd)
    .split('/')
    .map((segment) => (isPlainSegment(segment) ? segment : REDACTED))
    .join('/');
  const userInfo = at === -1 ? '' : `${REDACTED}@`;
  const query = pathEnd === rest.length ? '' : `?${REDACTED}`;
  return scheme + userInfo + (HOST.test(host) ? host : REDACTED) + path + query;
}

/**
 * Text with every URL in it shown as {@link redactCameraUrl} does: for messages of workers and cameras. A URL ends at white space,
 * because passwords may hold quotes and brackets; only those at its very end belong to the text around it.
 */
export function redactText(text: string): string {
  return text.replaceAll(URL_IN_TEXT, (found) => {
    if (isSourceFile(found)) return found;
    let end = found.length;
    while (CLOSING.includes(found[end - 1]!)) end--;
    return redactCameraUrl(found.slice(0, end)) + found.slice(end);
  });
}

/** A line of a stack names a module by its URL, which has no host and holds no other URL. */
function isSourceFile(url: string): boolean {
  return url.startsWith('file:///') && !/:\\?\/\\?\//.test(url.slice('file://'.length));
}

/** Whether a part of a URL is {@link REDACTED}, so that storing it would lose a secret. */
export function isRedacted(url: string): boolean {
  return url.split(/[/?#@=&;:]/).includes(REDACTED);
}

/** Whether an "@" follows the authority: nearly always a password whose "/", "?" or "#" is not percent-encoded. */
export function hasStrayAt(url: string): boolean {
  const rest = url.slice(SCHEME.exec(url)?.[0].length ?? 0);
  return rest.lastIndexOf('@') >= authorityEnd(rest);
}

/** The URL without query string and fragment: what may be kept of a presigned URL. */
export function withoutQuery(url: string): string {
  return url.slice(0, firstOf(url, 0, '?#'));
}

const HOST = /^(?:\[[0-9a-f:.]{1,64}\]|[a-z0-9._-]{1,255})(?::\d{1,5})?$/i;
const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{0,31}:\\?\/\\?\/\S*/gi;

/** The characters that follow a URL in a sentence, in quotes or in brackets. */
const CLOSING = `"'<>(){},;.`;

const MAX_SEGMENT_LENGTH = 64;
const MAX_NUMBER_LENGTH = 3;

/** Words of paths in the manuals of makers and of restreaming servers, and places that cameras are named after. */
const WORDS = new Set(
  `api asp amp auto av avc axis bin cam camera cameras cgi ch chan channel channels default event first h264 h265 hd hevc high hls
  iface image images img index input isapi ir jpeg jpg live low m3u8 main media mediainput mjpeg mjpg motion mp4 mpeg mpeg4 mpg
  multicast nphmotionjpeg onvif onvifsnapshot php picture play playback png preview primary profile realmonitor rtsp rtspvideo sd sdp
  second secondary smp snap snapshot snapshots stream streaming streams sub third thermal track trackid ts udp unicast video videomain
  videosub view viewer webrtc
  back barn corridor court dock door driveway east entrance entry exit floor front garage garden gate hall inside kitchen left lobby
  north office outside parking platform pool porch rear reception right roof room shop south stairs street warehouse west yard`.split(
    /\s+/,
  ),
);

/** Whether a segment consists of known words, short numbers and at most one single letter, as in `c1`. */
function isPlainSegment(segment: string): boolean {
  if (segment.length > MAX_SEGMENT_LENGTH) return false;
  const tokens = segment.toLowerCase().match(/h26[45]|mpeg4|mp4|m3u8|[a-z]+|\d+|[^a-z\d]+/g) ?? [];
  const unknown = tokens.filter(
    (token) =>
      !WORDS.has(token) &&
      !['-', '_', '.'].includes(token) &&
      !(/^\d/.test(token) && token.length <= MAX_NUMBER_LENGTH),
  );
  return unknown.length === 0 || (unknown.length === 1 && /^[a-z]$/.test(unknown[0]!));
}

/** Where user info, host and port end. */
const authorityEnd = (rest: string): number => firstOf(rest, 0, '/?#');

/** Index of the first of some characters from `start` on; the length of the text if there is none. */
function firstOf(text: string, start: number, characters: string): number {
  for (let i = start; i < text.length; i++) if (characters.includes(text[i]!)) return i;
  return text.length;
}

function withoutSecretParameters(text: string): string {
  const start = firstOf(text, 0, '?&;');
  let shown = text.slice(0, start);
  for (let from = start; from < text.length;) {
    const end = firstOf(text, from + 1, '&;#');
    const parameter = text.slice(from, end);
    const name = parameter.slice(0, firstOf(parameter, 0, '='));
    shown += name.length < parameter.length && isSecretName(name) ? `${name}=${REDACTED}` : parameter;
    from = end;
    if (text[end] !== '#') continue;
    from = firstOf(text, end, '?&;');
    shown += text.slice(end, from);
  }
  return shown;
}

/** @param name with the separator before it */
function isSecretName(name: string): boolean {
  const lower = name.slice(1).toLowerCase();
  return SECRET_NAMES.includes(lower) || SECRET_PARTS.some((part) => lower.includes(part));
}
