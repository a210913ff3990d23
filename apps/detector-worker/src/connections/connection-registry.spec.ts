import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { ConnectionRegistry } from './connection-registry.js';

// Of a socket the registry only reads whether it is open.
const socketThatIs = (open: boolean) => ({ readyState: open ? 1 : 2 }) as WebSocket;

describe('ConnectionRegistry', () => {
  it('obeys the highest term of all open sockets, and the newest socket of that term', () => {
    const connection = fc.record({ term: fc.nat({ max: 4 }), open: fc.boolean() });
    fc.assert(
      fc.property(fc.array(connection, { maxLength: 12 }), (given) => {
        const registry = new ConnectionRegistry();
        const added = given.map(({ term, open }) => ({
          open,
          connection: registry.add(socketThatIs(open), { term, masterId: null, confirms: false }),
        }));
        const open = added.filter((entry) => entry.open).map((entry) => entry.connection);
        const highest = Math.max(...open.map(({ term }) => term));
        expect(registry.current()).toBe(open.filter(({ term }) => term === highest).at(-1));
      }),
    );
  });

  it('forgets a socket', () => {
    const registry = new ConnectionRegistry();
    const socket = socketThatIs(true);
    registry.add(socket, { term: 1, masterId: 'm', confirms: false });
    registry.remove(socket);
    expect([registry.size, registry.get(socket), registry.current()]).toEqual([0, undefined, undefined]);
  });
});
