import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Arguments of one line of MONITOR: quoted, with backslash escapes. */
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/g;

/** Of an entry: XADD, stream, NOMKSTREAM, entry id, and the first field, whose name is `id`. */
const ARGUMENTS_TO_READ = 6;

/**
 * Watches, from outside every process of the cluster, which detections Redis was given: the ids of all entries that were
 * added to a process's stream. Speaks to the server itself, because on a busy one the client library mistakes the first
 * lines of MONITOR for replies. Slows the server down: for tests and demos.
 */
export class AcceptanceMonitor {
  /** In the order in which they came. */
  readonly accepted = new Set<string>();
  private socket: Socket | undefined;

  constructor(
    private readonly redisUrl: string,
    private readonly keyPrefix = '',
  ) {}

  async start(): Promise<void> {
    const { hostname, port } = new URL(this.redisUrl);
    const socket = connect(Number(port || 6379), hostname);
    this.socket = socket;
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    socket.write('MONITOR\r\n');
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== '+OK') throw new Error(`Redis does not let itself be watched: ${answer}`);
    lines.on('line', (line) => this.read(line));
  }

  stop(): void {
    this.socket?.destroy();
  }

  private read(line: string): void {
    const args: string[] = [];
    for (const [, argument] of line.matchAll(ARGUMENT)) {
      args.push(argument!);
      if (args.length === 1 && argument!.toUpperCase() !== 'XADD') return;
      if (args.length === ARGUMENTS_TO_READ) break;
    }
    const [, stream, , , field, id] = args;
    if (stream?.startsWith(`${this.keyPrefix}worker:slave:`) && field === 'id' && id) this.accepted.add(id);
  }
}
