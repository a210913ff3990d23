import { monitorRedis } from '@detector-cluster/dev-services';
import type { Socket } from 'node:net';

/** `+<time> [<db> <address>] "COMMAND" …`; commands of a script have the address `lua`. */
const LINE = /^\+\d+\.\d+ \[\d+ (\S+)\]/;

/** Counts the commands that Redis receives per connection, without those that scripts call. */
export class CommandTap {
  /** Number of commands by client address, `127.0.0.1:<port>`. */
  readonly counts = new Map<string, number>();
  private socket!: Socket;

  static async open(url: string): Promise<CommandTap> {
    const tap = new CommandTap();
    tap.socket = await monitorRedis(url, (line) => tap.read(line));
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
