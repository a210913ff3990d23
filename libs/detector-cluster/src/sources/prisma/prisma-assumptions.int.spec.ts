import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newCamera,
  openTriggersDatabase,
  type TriggersDatabase,
} from '../../../../../test/support/triggers-database.js';
import { type QueryHookInput, TRANSACTION_SCOPE, type TransactionClient } from './subscription-triggers.js';

const scopeOf = (client: object) => (client as TransactionClient)[TRANSACTION_SCOPE];

describe('undocumented behaviour of Prisma that the extension relies on', () => {
  let database: TriggersDatabase;
  beforeAll(async () => {
    database = await openTriggersDatabase();
  });
  afterAll(() => database.close());

  it('query hooks learn the kind and the id of the transaction; tx carries the same id under the scope symbol', async () => {
    const seen: unknown[] = [];
    const ids: unknown[] = [];
    const client = database.plain.$extends({
      query: {
        $allOperations(input) {
          const { __internalParams: internal } = input as QueryHookInput;
          seen.push(internal === undefined ? 'missing' : (internal.transaction ?? 'none'));
          return input.query(input.args);
        },
      },
    });
    expect(scopeOf(client)).toBeUndefined();
    await client.camera.count();
    await client.$transaction(async (tx) => {
      ids.push(scopeOf(tx)?.txId);
      await tx.camera.count();
      await tx.$transaction(async (inner) => {
        ids.push(scopeOf(inner)?.txId);
        await inner.$executeRaw`select 1`;
      });
    });
    await client.$transaction([client.camera.count()]);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
    expect(seen).toMatchObject([
      'none',
      { kind: 'itx', id: ids[0] },
      { kind: 'itx', id: ids[0] },
      { kind: 'batch' },
    ]);
  });

  it('a statement of an array resolves although the array is rolled back', async () => {
    const resolved: string[] = [];
    const client = database.plain.$extends({
      query: {
        async $allOperations({ operation, args, query }) {
          const result = await query(args);
          resolved.push(operation);
          return result;
        },
      },
    });
    const twice = newCamera();
    await client
      .$transaction([client.camera.create({ data: twice }), client.camera.create({ data: twice })])
      .catch(() => undefined);
    expect(resolved).toEqual(['create']);
    expect(await database.plain.camera.count({ where: twice })).toBe(0);
  });
});
