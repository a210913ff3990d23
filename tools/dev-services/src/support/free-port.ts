import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Below the ports for outgoing connections (from 32768 on Linux), which can be taken at any moment. */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 50;

/** A TCP port of 127.0.0.1 that was free a moment ago. Another process may take it first: callers retry. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await listenable(randomInt(FIRST, LAST));
    if (port !== null) return port;
  }
  const any = await listenable(0);
  if (any === null) throw new Error('no port of 127.0.0.1 is free');
  return any;
}

/** Null if another process already listens. */
function listenable(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
