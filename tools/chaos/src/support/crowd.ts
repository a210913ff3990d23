import { connect, type Socket } from 'node:net';

/** Before a client that was turned away comes again. Less than the shortest pause of a master before it dials again. Milliseconds. */
const AGAIN = 10;

/** Clients that connect to a server of this machine, say nothing, and come again when they are turned away. */
export class Crowd {
  private readonly sockets = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly port: number) {}

  gather(size: number): void {
    for (let i = 0; i < size; i++) this.come();
  }

  leave(): void {
    for (const timer of this.timers) clearTimeout(timer);
    for (const socket of this.sockets) socket.removeAllListeners('close').destroy();
  }

  private come(): void {
    const socket = connect(this.port, '127.0.0.1').on('error', () => undefined);
    this.sockets.add(socket);
    // A socket whose other side ends is closed only when it reads.
    socket.resume().once('close', () => {
      this.sockets.delete(socket);
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.come();
      }, AGAIN);
      this.timers.add(timer);
    });
  }
}
