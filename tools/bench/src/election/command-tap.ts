import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** `+<time> [<db> <address>] "COMMAND" …`; commands of a script have the address `lua`. */
const LINE = /^\+\d+\.\d+ \[\d+ (\S+)\]/;

/** Counts the commands that Redis receives per connection, without those that scripts call. */
export class CommandTap {
  /** Number of commands by client address, `127.0.0.1:<port>`. */
  readonly counts = new Map<string, number>();

  private constructor(private readonly socket: Socket) {}

  static async open(url: string): Promise<CommandTap> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    socket.write('MONITOR\r\n');
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== '+OK') throw new Error(`Redis refused MONITOR: ${answer}`);
    const tap = new CommandTap(socket);
    lines.on('line', (line) => tap.read(line));
    return tap;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(line: string): void {
    const address = LINE.exec(line)?.[1];
    if (address && address !== 'lua') this.counts.set(address, (this.counts.get(address) ?? 0) + 1);
  }
}
