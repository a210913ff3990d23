import { encodeCommand, type WorkerCommand } from '@detector-cluster/worker-protocol';
import { WebSocket } from 'ws';
import type { CommandOutcome } from './detector-connection.js';

/** A command that could not be written for this long is dropped; reconciliation sends it again if it still matters. */
const COMMAND_LIFETIME = 3_000;
const COMMAND_RETRY = 20;

interface QueuedCommand {
  readonly text: string;
  readonly expires: number;
  readonly outcome: CommandOutcome;
}

export interface CommandQueueOptions {
  /** The socket of the current connection; null while there is none. */
  readonly socket: () => WebSocket | null;
  /** Asked immediately before every write. */
  readonly mayAct: () => boolean;
  /** Writes to the socket. */
  readonly write: (text: string, done: (error?: Error | null) => void) => void;
}

/**
 * The commands to one worker that the socket has not taken yet, in order. A command leaves when this process may act and the socket has
 * taken all that was written before.
 */
export class CommandQueue {
  private readonly queue: QueuedCommand[] = [];
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: CommandQueueOptions) {}

  add(command: WorkerCommand, outcome: CommandOutcome): void {
    this.queue.push(queued(command, outcome));
  }

  addFirst(command: WorkerCommand): void {
    this.queue.unshift(queued(command, {}));
  }

  /** Forgets all commands; calls no outcome. */
  clear(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.queue.length = 0;
  }

  /** Writes what may be written now. Tries the rest again until it is written or too old. */
  flush(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    const now = performance.now();
    while (this.queue.length > 0) {
      const [head] = this.queue as [QueuedCommand];
      if (head.expires < now) {
        this.queue.shift();
        head.outcome.dropped?.();
        continue;
      }
      const socket = this.options.socket();
      if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > 0 || !this.options.mayAct()) {
        this.retry = setTimeout(() => this.flush(), COMMAND_RETRY);
        return;
      }
      this.queue.shift();
      this.options.write(head.text, (error) => {
        if (!(error instanceof Error) && socket === this.options.socket()) head.outcome.written?.();
        this.flush();
      });
    }
  }
}

function queued(command: WorkerCommand, outcome: CommandOutcome): QueuedCommand {
  return { text: encodeCommand(command), expires: performance.now() + COMMAND_LIFETIME, outcome };
}
