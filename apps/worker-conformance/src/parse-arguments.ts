import { parseArgs } from 'node:util';
import { ALL_CHECKS } from './checks/all-checks.js';
import type { Check } from './check.js';
import { UsageError } from './usage.error.js';

export interface Arguments {
  readonly url: URL;
  readonly version: 'v1' | 'v2';
  readonly camera: string | undefined;
  readonly host: string | undefined;
  readonly token: string | undefined;
  readonly modelName: string;
  readonly modelFile: string | undefined;
  readonly log: string | undefined;
  readonly pid: number | undefined;
  readonly json: boolean;
  readonly checks: readonly Check[];
}

export const USAGE = `Usage: worker-conformance <url> [options]

Plays a master against a running worker, e.g. ws://host:8000, or ws://host:8000#v2 for version 2 of the
protocol. Use a worker of its own: it loses its subscriptions, and refuses other masters until it restarts.

  --camera <url>        camera that shows motion (a Motion JPEG camera of its own, over HTTP)
  --host <name>         under which the worker reaches this machine (the local address of the connection)
  --token <token>       bearer token that the worker asks for
  --model-name <name>   of a model that the worker can run (conformance)
  --model-file <path>   its file (4 KiB at random)
  --log <path>          log of the worker, to be searched for secrets
  --pid <number>        process of the worker on this machine: the last check sends SIGTERM to it
  --only <id,…>         these checks alone
  --json                one line of JSON for each check, instead of TAP
  --list                names the checks, and runs none
  --help

Exit code: 0, 1 if a check fails or the worker cannot be reached, 2 for a wrong command line.
`;

const SCHEMES = ['rtsp:', 'rtsps:', 'http:', 'https:'];

/** What to do. @throws UsageError */
export function parseArguments(args: readonly string[]): Arguments | 'help' | 'list' {
  const { positionals, values } = parse(args);
  if (values.help === true) return 'help';
  if (values.list === true) return 'list';
  const [address, ...more] = positionals;
  if (address === undefined) throw new UsageError('the URL of the worker is missing');
  if (more.length > 0) throw new UsageError(`unexpected argument ${more[0]}`);
  const url = parseUrl('the URL of the worker', address, ['ws:', 'wss:']);
  if (url.hash !== '' && url.hash !== '#v1' && url.hash !== '#v2')
    throw new UsageError(`the URL of the worker ends with ${url.hash}, which is neither #v1 nor #v2`);
  if (values.camera !== undefined) parseUrl('--camera', values.camera, SCHEMES);
  if (values.pid !== undefined && !/^[1-9]\d{0,9}$/.test(values.pid))
    throw new UsageError(`--pid must be a process id, not ${values.pid}`);
  return {
    url,
    version: url.hash === '#v2' ? 'v2' : 'v1',
    camera: values.camera,
    host: values.host,
    token: values.token,
    modelName: values['model-name'] ?? 'conformance',
    modelFile: values['model-file'],
    log: values.log,
    pid: values.pid === undefined ? undefined : Number(values.pid),
    json: values.json === true,
    checks: select(values.only),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        camera: text,
        host: text,
        token: text,
        'model-name': text,
        'model-file': text,
        log: text,
        pid: text,
        only: { type: 'string', multiple: true },
        json: flag,
        list: flag,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function parseUrl(what: string, text: string, schemes: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !schemes.includes(url.protocol) || url.hostname === '')
    throw new UsageError(`${what} must begin with ${schemes.map((scheme) => `${scheme}//`).join(', ')}`);
  return url;
}

function select(only: readonly string[] | undefined): readonly Check[] {
  if (only === undefined) return ALL_CHECKS;
  const ids = only.flatMap((text) => text.split(','));
  const unknown = ids.find((id) => !ALL_CHECKS.some((check) => check.id === id));
  if (unknown !== undefined) throw new UsageError(`--only: there is no check ${unknown}; --list names all`);
  return ALL_CHECKS.filter(({ id }) => ids.includes(id));
}
