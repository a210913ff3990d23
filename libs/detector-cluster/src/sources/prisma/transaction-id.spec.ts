import { describe, expect, it } from 'vitest';
import { allPublished } from '../../../../../test/support/triggers-database.js';
import { subscriptionTriggers, TRANSACTION_ID, TRANSACTION_SCOPE } from './subscription-triggers.js';

type Transaction = { create(): Promise<unknown> };
type Work = (tx: Transaction) => Promise<unknown>;
interface Extension {
  query: { $allOperations(input: object): Promise<unknown> };
  client: { $transaction(this: unknown, work: Work): Promise<unknown> };
}

/** The part of a Prisma client that an interactive transaction needs; `mark` is how a version shows its id on `tx`. */
function clientWith(mark: object) {
  let hook: Extension['query'] | undefined;
  const create = () =>
    hook!.$allOperations({
      model: 'Camera',
      operation: 'create',
      args: { data: {} },
      query: () => Promise.resolve({ cameraIdentifier: 'c1' }),
      __internalParams: { transaction: { kind: 'itx', id: 'tx-1' } },
    });
  const client = {
    $transaction: (work: Work) => work({ create, ...mark }),
    $extends(extension: Extension) {
      hook = extension.query;
      return { $transaction: (work: Work) => extension.client.$transaction.call(client, work) };
    },
  };
  return client;
}

describe.each([
  ['Prisma 6', { [TRANSACTION_ID]: 'tx-1' }],
  ['Prisma 7', { [TRANSACTION_SCOPE]: { txId: 'tx-1' } }],
])('an interactive transaction of %s', (_version, mark) => {
  it('is announced after its end, and not after a rollback', async () => {
    const published: string[] = [];
    const prisma = subscriptionTriggers({ publish: ({ causes }) => published.push(...causes) })(
      clientWith(mark),
    );
    await prisma
      .$transaction(async (tx) => {
        await tx.create();
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await allPublished();
    expect(published).toEqual([]);
    await prisma.$transaction(async (tx) => {
      await tx.create();
      await allPublished();
      expect(published).toEqual([]);
    });
    await allPublished();
    expect(published).toEqual(['camera.created']);
  });
});
