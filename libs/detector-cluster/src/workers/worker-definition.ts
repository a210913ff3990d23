import { unknownOptions } from '@detector-cluster/election/internal';
import { identifierProblem, plainTextProblem } from '@detector-cluster/placement/internal';
import type { LookupFunction } from 'node:net';
import { WorkerCredentials, withoutUserInfo, type WorkerTls } from './worker-credentials.js';
import { isLoopback, type NetworkPolicy } from '../shared/network-policy.js';
import { isRecord } from '../shared/read-json.js';
import { redactUrl, workerIdOf } from '../shared/redact-url.js';

/**
 * One worker as configured: its WebSocket URL, with `#v2` at the end if it speaks version 2 of the protocol, or an object with the URL
 * and its properties.
 */
export type WorkerOption =
  | string
  | {
      /** `ws://` or `wss://`. A user name and password in it are sent as basic authentication and appear nowhere else. */
      readonly url: string;
      /** What people call it, unique among the workers. Shown before its URL; a new name needs no new connection. Default none. */
      readonly name?: string;
      /** Sent as `Authorization: Bearer`. */
      readonly token?: string;
      /**
       * Allows a token, or a user name in the URL, over `ws://` to a host that is not this one. Every host on the network path
       * can read them there. Default false.
       */
      readonly allowInsecureCredentials?: boolean;
      /** For a `wss://` URL: the trusted certificates, and the client certificate. */
      readonly tls?: WorkerTls;
      /** The version of the protocol that the worker supports. Default `v1`, or what the fragment of `url` says. */
      readonly protocol?: WorkerProtocolVersion;
      /** How many subscriptions it may hold. Default 100. */
      readonly capacity?: number;
      readonly labels?: Readonly<Record<string, string>>;
    };

/** Reads the workers of the application. The master calls it with every regeneration, and every process every 30 s. */
export type WorkerReader = () => readonly WorkerOption[] | Promise<readonly WorkerOption[]>;

/** `v1`: single commands, `subscribe` and `unsubscribe`. `v2`: one list of everything, `setSubscriptionList`. */
export type WorkerProtocolVersion = 'v1' | 'v2';

/** One configured worker. */
export interface WorkerDefinition {
  /** The URL without credentials: what identifies it in state, logs and Redis. */
  readonly id: string;
  /** For people. */
  readonly name?: string;
  /** The address to dial: `ws://` or `wss://`, without user name and password. */
  readonly url: string;
  /** Default none. */
  readonly credentials?: WorkerCredentials;
  /** Resolves the host of `url` to addresses that are allowed. Default: to all. */
  readonly lookup?: LookupFunction;
  readonly protocol: WorkerProtocolVersion;
  /** How many subscriptions it may hold. */
  readonly capacity: number;
  readonly labels?: Readonly<Record<string, string>>;
}

const DEFAULT_CAPACITY = 100;

/** A state report lists all streams of a worker in one frame of at most 1 MiB; about 260 bytes for each. */
const MAX_SUBSCRIPTIONS = 4_000;

const WORKER_OPTIONS: readonly (keyof Exclude<WorkerOption, string>)[] = [
  'url',
  'name',
  'token',
  'allowInsecureCredentials',
  'tls',
  'protocol',
  'capacity',
  'labels',
];

/** Adds a problem, with the position, for each worker that cannot be used; those are left out. */
export function resolveWorkers(
  raw: readonly WorkerOption[],
  problems: string[],
  networks: NetworkPolicy,
): WorkerDefinition[] {
  if (!Array.isArray(raw)) {
    problems.push('workers: must be an array of ws:// or wss:// URLs');
    return [];
  }
  const workers: WorkerDefinition[] = [];
  for (const [i, option] of raw.entries()) {
    const details = detailsOf(option);
    const unknown = { path: `workers[${i}].`, separator: ': ' };
    problems.push(...unknownOptions(details, WORKER_OPTIONS, unknown));
    const { capacity = DEFAULT_CAPACITY, labels, name, token, tls } = details;
    const problem = workerUrlProblem(details.url) ?? forbidden(details.url, networks);
    if (problem !== null) {
      problems.push(`workers[${i}]: ${problem}`);
      continue;
    }
    const [url, version] = details.url.split('#') as [string, string?];
    const protocol = details.protocol ?? version ?? 'v1';
    if (!isVersion(protocol) || (version !== undefined && protocol !== version)) {
      problems.push(
        `workers[${i}].protocol: must be 'v1' or 'v2'${version === undefined ? '' : ` and agree with #${version} of the url`}, got ${JSON.stringify(protocol)}`,
      );
      continue;
    }
    const id = workerIdOf(url);
    if (workers.some((other) => other.id === id)) problems.push(`workers[${i}]: ${id} is listed twice`);
    if (name !== undefined) {
      const isTaken = workers.some((other) => other.name === name);
      const wrong = identifierProblem(name) ?? (isTaken ? 'is the name of an earlier worker' : null);
      if (wrong !== null) problems.push(`workers[${i}].name: ${JSON.stringify(name)} ${wrong}`);
    }
    if (!Number.isFinite(capacity) || capacity <= 0 || capacity > MAX_SUBSCRIPTIONS)
      problems.push(
        `workers[${i}].capacity: must be a number above 0 and at most ${MAX_SUBSCRIPTIONS}, which fit into one state report, got ${capacity}`,
      );
    if (labels !== undefined && !isRecord(labels)) problems.push(`workers[${i}].labels: must be an object`);
    for (const text of Object.entries(labels ?? {}).flat()) {
      const wrong = typeof text === 'string' ? plainTextProblem(text) : 'must be a string';
      if (wrong !== null) problems.push(`workers[${i}].labels: ${JSON.stringify(text)} ${wrong}`);
    }
    const wrong = workerCredentialProblems(details);
    problems.push(...wrong.map((text) => `workers[${i}].${text}`));
    if (wrong.length > 0) continue;
    workers.push({
      id,
      url: withoutUserInfo(url),
      credentials: WorkerCredentials.of(url, token, tls),
      lookup: networks.lookup,
      protocol,
      capacity,
      ...(name !== undefined && { name }),
      ...(labels && { labels }),
    });
  }
  return workers;
}

/** What is wrong with workers, a line each that begins with `workers[0]`. No line holds a secret. */
export function workerProblems(workers: readonly WorkerOption[], networks: NetworkPolicy): string[] {
  const problems: string[] = [];
  resolveWorkers(workers, problems, networks);
  return problems;
}

const isVersion = (text: string): text is WorkerProtocolVersion => text === 'v1' || text === 'v2';

function detailsOf(option: WorkerOption): Exclude<WorkerOption, string> {
  return isRecord(option) ? option : { url: option };
}

function forbidden(url: string, networks: NetworkPolicy): string | null {
  const problem = networks.problemOfAddress(url);
  return problem === null ? null : `${JSON.stringify(redactUrl(url))} ${problem}`;
}

function workerUrlProblem(url: unknown): string | null {
  if (typeof url !== 'string') return 'must be a URL';
  const hidden = plainTextProblem(url);
  if (hidden !== null) return `${JSON.stringify(redactUrl(url))} ${hidden}`;
  if (!URL.canParse(url))
    return `${JSON.stringify(redactUrl(url))} is not a URL; expected e.g. ws://worker1:8000`;
  const { protocol, hash } = new URL(url);
  if (protocol !== 'ws:' && protocol !== 'wss:')
    return `${JSON.stringify(redactUrl(url))} must begin with ws:// or wss://`;
  if (hash !== '' && !isVersion(hash.slice(1)))
    return `${JSON.stringify(redactUrl(url))} must not have a fragment other than #v1 or #v2, the version of the worker's protocol`;
  return null;
}

/** The characters that a header can carry without encoding. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Returns the problems of a worker's credentials, each line beginning with its field. Never repeats a secret. */
function workerCredentialProblems(worker: Exclude<WorkerOption, string>): string[] {
  const { url, allowInsecureCredentials: allowed = false } = worker;
  const { tls, token }: { tls?: unknown; token?: unknown } = worker;
  const problems: string[] = [];
  const { protocol, username, password } = new URL(url);
  if (token !== undefined) {
    if (typeof token !== 'string' || !TOKEN.test(token))
      problems.push('token: must be printable ASCII without blanks');
    if (username !== '' || password !== '')
      problems.push('token: cannot be combined with a user name in the URL; give one of them');
  }
  const hasCredentials = token !== undefined || username !== '' || password !== '';
  if (typeof allowed !== 'boolean') problems.push('allowInsecureCredentials: must be true or false');
  else if (hasCredentials && protocol === 'ws:' && !allowed && !isLoopback(url))
    problems.push(
      `${token === undefined ? 'url' : 'token'}: credentials over ws:// can be read on the network path: use wss://, or set allowInsecureCredentials`,
    );
  const names = ['ca', 'cert', 'key', 'passphrase'];
  problems.push(...unknownOptions(tls, names, { path: 'tls.', separator: ': ' }));
  if (!isRecord(tls)) return problems;
  if (protocol !== 'wss:') problems.push('tls: needs a wss:// URL');
  const { ca, cert, key, passphrase } = tls as WorkerTls;
  for (const [name, pem] of Object.entries({ ca, cert, key }))
    if (pem !== undefined && !isPem(pem)) problems.push(`tls.${name}: must be PEM, a string or Buffer`);
  if ((cert === undefined) !== (key === undefined))
    problems.push(`tls.${cert === undefined ? 'cert' : 'key'}: is missing; cert and key belong together`);
  if (passphrase !== undefined && typeof passphrase !== 'string')
    problems.push('tls.passphrase: must be a string');
  return problems;
}

function isPem(value: unknown): boolean {
  return (typeof value === 'string' || Buffer.isBuffer(value)) && value.includes('-----BEGIN ');
}
