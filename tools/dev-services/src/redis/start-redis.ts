import { launchRedis, type RedisService } from './launch-redis.js';
import { createCertificate } from '../support/create-certificate.js';
import { findRedis, type RedisGeneration } from './find-redis.js';

/** A user of a server's access control list. */
export interface RedisUser {
  readonly name: string;
  readonly password: string;
  /** As in `ACL SETUSER`, without state and password: `['~{app}:*', '+get']`. */
  readonly rules: readonly string[];
}

/** Arguments of the server's command line for the user. */
function userArguments({ name, password, rules }: RedisUser): string[] {
  return ['--user', name, 'on', `>${password}`, ...rules];
}

/** Options of {@link startRedis}. */
export interface StartRedisOptions {
  /** Default `'any'`: the server in PATH, else that of the distribution. */
  generation?: RedisGeneration | 'any';
  /** Default: a free port. If a port given here is taken, no other is tried. */
  port?: number;
  /** Append-only file, synced at every write: data survives `restart()` and `kill()`. Default `false`. */
  persistence?: boolean;
  /** Accepts only TLS connections, with a certificate of its own authority (`service.ca`). Default `false`. */
  tls?: boolean;
  /** Users beside `default`, which may do everything without a password. */
  users?: readonly RedisUser[];
  /** More arguments of the server, after ours: `['--maxmemory', '64mb']`. A function is called at every attempt to start. */
  args?: readonly string[] | (() => Promise<readonly string[]>);
  /** Called before a download. */
  notify?: (message: string) => void;
}

/**
 * Starts a private server. It ends with this process at the latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, RedisGenerationUnavailableError without one of that generation,
 * ServerStartError if the server does not start, ProgramUnavailableError without a program to make a certificate.
 */
export async function startRedis(options: StartRedisOptions = {}): Promise<RedisService> {
  const { persistence, tls, users = [], args = [], notify } = options;
  const program = await findRedis(options.generation ?? 'any', notify);
  const prepare = async (directory: string, port: number) => {
    const certificate = tls ? await createCertificate(directory) : undefined;
    const listen = certificate
      ? ['--port', '0', '--tls-port', String(port), ...certificate.args]
      : ['--port', String(port)];
    return {
      ca: certificate?.ca,
      args: [
        ...listen,
        '--bind',
        '127.0.0.1',
        '--dir',
        directory,
        '--save',
        '',
        // Redis writes before the reply, so that data survives a crash of the process. They do not have to survive a crash of the
        // machine, and fsync on a slow disk would make leases expire.
        ...(persistence ? ['--appendonly', 'yes', '--appendfsync', 'no'] : ['--appendonly', 'no']),
        ...users.flatMap(userArguments),
        ...(typeof args === 'function' ? await args() : args),
      ],
    };
  };
  return launchRedis(program, prepare, options.port);
}
