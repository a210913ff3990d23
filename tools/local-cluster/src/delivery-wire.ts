/**
 * How detections pass through Redis, for an observer outside of the library: names of keys, and commands as shown by MONITOR.
 * The only place with these facts for tests and tools that watch delivery.
 */

/** A command that changes the streams of partitions. */
export type StreamCommand =
  | {
      readonly kind: 'append';
      readonly stream: string;
      /** Id of the entry: `<term>-<sequence>`. */
      readonly entry: string;
      /** Of its batch, in order. */
      readonly detectionIds: readonly string[];
      /** When Redis ran it, by the wall clock of its machine. Milliseconds since 1970, with fractions. */
      readonly at: number;
    }
  | { readonly kind: 'finish'; readonly stream: string; readonly entries: readonly string[] }
  /** The newest `keep` entries stay; undefined if the command does not show how many do. */
  | { readonly kind: 'trim'; readonly stream: string; readonly keep: number | undefined }
  | { readonly kind: 'delete'; readonly streams: readonly string[] };

const APPEND = /^\+?(\S+) \S+ \S+ "XADD" "([^"]+)" "(\d+-\d+)" "detections" "\d+" "messages" (".*)/i;

/** The first member of each message. Messages are separated by line breaks, which MONITOR escapes. */
const DETECTION_ID = /(?:"|[^\\]\\n)\{\\"detectionId\\":\\"([^"\\]+)\\"/g;

const OTHERS = /^\S+ \S+ \S+ "(?:XDEL|XTRIM|DEL|UNLINK)" /i;

/** Arguments of one line: quoted, with backslash escapes. */
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/g;

/** @returns undefined for a line that does not change streams */
export function parseMonitorLine(line: string): StreamCommand | undefined {
  const append = APPEND.exec(line);
  if (append !== null) {
    const [, seconds, stream, entry, text] = append as unknown as [string, string, string, string, string];
    const detectionIds = Array.from(text.matchAll(DETECTION_ID), ([, id]) => id!);
    return { kind: 'append', stream, entry, detectionIds, at: Number(seconds) * 1_000 };
  }
  if (!OTHERS.test(line)) return undefined;
  const [command, ...args] = Array.from(line.matchAll(ARGUMENT), ([, argument]) => argument!);
  const [stream, ...rest] = args as [string, ...string[]];
  switch (command!.toUpperCase()) {
    case 'XDEL':
      return { kind: 'finish', stream, entries: rest };
    case 'XTRIM': {
      const [strategy, operator, count] = rest;
      const exact = strategy?.toUpperCase() === 'MAXLEN' && operator === '=';
      return { kind: 'trim', stream, keep: exact ? Number(count) : undefined };
    }
    default:
      return { kind: 'delete', streams: args };
  }
}

/** Prefix of the streams of all partitions of a cluster; the number follows in braces, a hash tag. */
export function partitionStreamPrefix(keyPrefix: string): string {
  return `${keyPrefix.replaceAll(/[{}]/g, '')}worker:detections:`;
}

const NUMBER = /^\{\d+\}$/;

export function isPartitionStream(key: string, keyPrefix: string): boolean {
  const prefix = partitionStreamPrefix(keyPrefix);
  return key.startsWith(prefix) && NUMBER.test(key.slice(prefix.length));
}

/** The hash that names the owner of a partition. */
export function ownerRecord(stream: string): string {
  return `${stream}:owner`;
}

/** Whether the entry id is after the other in its stream. */
export function isAbove(entry: string, other: string): boolean {
  const [term, sequence] = entry.split('-').map(Number) as [number, number];
  const [otherTerm, otherSequence] = other.split('-').map(Number) as [number, number];
  return term > otherTerm || (term === otherTerm && sequence > otherSequence);
}
