import { hostname } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { BACKENDS } from './backend-options.js';
import { parseDuration, parsePositiveDuration } from './parse-duration.js';
import { MissingFlagError } from './usage.error.js';

/** An option that can also be given as `ELECTOR_<NAME>`. */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`ELECTOR_${option.name().toUpperCase().replaceAll('-', '_')}`);
}

export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it must not be empty');
  return text;
}

/** Where the election takes place. */
export function addBackendOptions(command: Command): Command {
  return command
    .addOption(flag('--backend <name>', 'what elects').choices(BACKENDS))
    .addOption(
      flag('--lock-name <name>', 'name of the election: who gives the same competes')
        .argParser(notEmpty)
        .default('elector'),
    )
    .addOption(flag('--redis-url <url>', 'redis: the server').default('redis://127.0.0.1:6379'))
    .addOption(
      flag('--etcd-endpoints <urls>', 'etcd: the members, separated by commas').default(
        'http://127.0.0.1:2379',
      ),
    )
    .addOption(flag('--etcd-cacert <file>', 'etcd: what the members are trusted by, PEM'))
    .addOption(flag('--etcd-cert <file>', 'etcd: the certificate of this client, PEM'))
    .addOption(flag('--etcd-key <file>', 'etcd: its key, PEM'))
    .addOption(flag('--etcd-username <name>', 'etcd: the user'))
    .addOption(flag('--etcd-password <password>', 'etcd: the password; better by the environment'))
    .addOption(
      flag('--postgres-url <url>', 'postgres: the database').default('postgresql://127.0.0.1:5432/postgres'),
    )
    .addOption(flag('--postgres-table <table>', 'postgres: table of the elections').default('election'))
    .addOption(flag('--group-address <host:port>', 'group: where the other members reach this one'))
    .addOption(flag('--group-secret <text>', 'group: the same in all members; better by the environment'))
    .addOption(flag('--group-cacert <file>', 'group: what the members are trusted by, PEM'))
    .addOption(flag('--group-cert <file>', 'group: the certificate of this member, PEM'))
    .addOption(flag('--group-key <file>', 'group: its key, PEM'))
    .addOption(flag('--group-insecure', 'group: no TLS, and no secret if none is given'))
    .addOption(flag('--json', 'one JSON object a line to standard output'));
}

/** How to compete. */
export function addCandidateOptions(command: Command): Command {
  return addBackendOptions(command)
    .addOption(
      flag('--instance-id <id>', 'name of this instance, unique in the election')
        .argParser(notEmpty)
        .default(`${hostname()}:${process.pid}`, 'host and process id'),
    )
    .addOption(
      flag(
        '--lock-ttl <duration>',
        'a leader that is not heard of for so long is replaced (default: 15s; group: 5s)',
      ).argParser(parsePositiveDuration),
    )
    .addOption(
      flag(
        '--renew-deadline <duration>',
        'a leader that was not confirmed for so long gives up, so that its command ends before another leads ' +
          '(default: as long as --lock-ttl and --kill-after allow)',
      ).argParser(parsePositiveDuration),
    )
    .addOption(
      flag('--error-timeout <duration>', 'how long not to compete after an error')
        .argParser(parseDuration)
        .default(30_000, '30s'),
    )
    .addOption(
      flag('--stop-timeout <duration>', 'how long it may take to end after SIGINT or SIGTERM')
        .argParser(parsePositiveDuration)
        .default(10_000, '10s'),
    );
}

/** The remedy for a missing flag. */
const REMEDIES = {
  backend: ['--backend', `name what elects: ${BACKENDS.join(', ')}`],
  leaderBeginCommand: [
    '--leader-begin-command',
    "give what to run when this instance becomes leader, or 'true'",
  ],
  leaderEndCommand: ['--leader-end-command', "give what to run when it no longer leads, or 'true'"],
} as const;

/**
 * Checks that nothing is missing; after the parser, so that a flag with a typing error is named first.
 * @throws MissingFlagError that names all that is.
 */
export function requireFlags(options: object, ...names: (keyof typeof REMEDIES)[]): void {
  const missing = names.filter((name) => (options as Record<string, unknown>)[name] === undefined);
  if (missing.length === 0) return;
  const texts = missing.map((name) => `${REMEDIES[name][0]} is missing: ${REMEDIES[name][1]}`);
  throw new MissingFlagError(texts.join('; '));
}
