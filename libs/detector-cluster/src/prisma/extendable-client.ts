/** Where Prisma keeps the id of an interactive transaction on its client. Not documented; tests pin it. */
export const TRANSACTION_SCOPE = Symbol.for('prisma.client.transaction.scope_context');

/** What Prisma hands to a query hook, as far as it is used. */
export interface QueryHookInput {
  readonly model?: string | undefined;
  readonly operation: string;
  readonly args: unknown;
  readonly query: (args: unknown) => Promise<unknown>;
  /** Not documented; tests pin it. */
  readonly __internalParams?: {
    readonly transaction?: { readonly kind: 'itx' | 'batch'; readonly id: string | number } | undefined;
  };
}

/** The client inside an interactive transaction. */
export interface TransactionClient {
  readonly [TRANSACTION_SCOPE]?: { readonly txId?: string | number } | undefined;
}

export type TransactionWork = (tx: TransactionClient) => Promise<unknown>;
export type TransactionFunction = (
  this: unknown,
  work: TransactionWork | readonly unknown[],
  options?: unknown,
) => Promise<unknown>;

/** The part of a Prisma client that an extension uses; structural, so that any generated client fits. */
export interface ExtendableClient {
  $transaction: TransactionFunction;
  $extends(extension: {
    name: string;
    query: { $allOperations(input: QueryHookInput): Promise<unknown> };
    client: { $transaction: TransactionFunction };
  }): unknown;
}
