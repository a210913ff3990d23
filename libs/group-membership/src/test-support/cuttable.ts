import { connect, type Socket } from 'node:net';
import { TextLeaderStore } from '../store/text-leader-store.js';

/** A network path that can be cut: packets in both directions are lost without an error. */
export class Cuttable {
  private readonly dialled = new Set<Socket>();
  private cut = false;

  /** @param others All paths that can be cut from each other. */
  constructor(private readonly others: Set<Cuttable>) {
    others.add(this);
  }

  /** Ports that this member listens on, as they become known. */
  readonly ports = new Set<number>();

  readonly dial = (host: string, port: number): Socket => {
    const to = [...this.others].find(({ ports }) => ports.has(port));
    // No host answers at this address, which is reserved for documentation.
    const socket = this.cut || to?.cut ? connect({ host: '192.0.2.1', port: 9 }) : connect({ host, port });
    this.dialled.add(socket);
    socket.once('close', () => this.dialled.delete(socket));
    (socket as Socket & { toPort?: number }).toPort = port;
    return socket;
  };

  isolate(): void {
    this.cut = true;
    for (const other of this.others)
      for (const socket of other.dialled) {
        const { toPort } = socket as Socket & { toPort?: number };
        if (other === this || this.ports.has(toPort!)) socket.destroy();
      }
  }
}

/** A store that can be cut off: then it no longer answers. */
export class CuttableStore extends TextLeaderStore {
  cut = false;

  constructor(private readonly store: TextLeaderStore) {
    super();
  }

  read(): Promise<string | null> {
    return this.through(() => this.store.read());
  }

  swap(expected: string | null, next: string): Promise<boolean> {
    return this.through(() => this.store.swap(expected, next));
  }

  protected write(text: string): Promise<void> {
    return this.through(() => this.store.set(JSON.parse(text) as never));
  }

  cleanup(): Promise<void> {
    return Promise.resolve();
  }

  private through<Value>(call: () => Promise<Value>): Promise<Value> {
    return this.cut ? new Promise(() => undefined) : call();
  }
}
