import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Below the ports for outgoing connections (from 32768 on Linux), which can be taken at any moment. */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 50;

/** Ports that this process has claimed, and what keeps other processes from claiming them. */
const claims = new Map<number, Server | undefined>();

/**
 * A TCP port of 127.0.0.1 that was free a moment ago. On Linux no other call on this machine returns the same port while this process
 * lives, so a server can take its time to listen there, and can be restarted. Another program may take the port first: callers retry.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wanted = randomInt(FIRST, LAST);
    if (!(await claimPort(wanted))) continue;
    const port = await listenable(wanted);
    if (port !== null) return port;
  }
  const any = await listenable(0);
  if (any === null) throw new Error('no port of 127.0.0.1 is free');
  return any;
}

/**
 * Keeps other calls of {@link freePort} away from a port until this process ends. Returns false if the port is claimed already. The claim
 * is a Linux abstract socket, which the kernel frees when its holder dies. Other systems have none, so a claim there holds in this process.
 */
export async function claimPort(port: number): Promise<boolean> {
  if (claims.has(port)) return false;
  claims.set(port, undefined);
  if (process.platform !== 'linux') return true;
  const claim = await new Promise<Server | null>((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen({ path: `\0detector-cluster-port-${port}`, exclusive: true }, () => resolve(server));
  });
  if (claim === null) claims.delete(port);
  else claims.set(port, claim.unref());
  return claim !== null;
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
