import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';

interface Connector {
  connect(...args: unknown[]): Promise<Socket>;
}

/**
 * Keeps errors of a socket that ioredis no longer listens to from ending the process. ioredis takes the first error of a socket. A TLS
 * socket can emit another one: an alert of the server is an error, and so is the reset or the refused certificate next to it.
 *
 * Call it before the client connects.
 */
export function absorbLateErrors(redis: Redis): void {
  const connector = Reflect.get(redis, 'connector') as Connector;
  const connect = connector.connect.bind(connector);
  connector.connect = async (...args) => {
    const socket = await connect(...args);
    socket.on('error', () => undefined);
    return socket;
  };
}
