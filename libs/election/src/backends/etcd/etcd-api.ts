/** Integers of 64 bits come as decimal text; revisions stay below 2^53 and may be read as numbers. */
export type Int64 = string;

/** Who answered, and in which state of the cluster. */
export interface EtcdHeader {
  readonly cluster_id: Int64;
  readonly member_id: Int64;
  readonly revision: Int64;
  readonly raft_term: Int64;
}

export interface EtcdKeyValue {
  readonly key: Buffer;
  readonly create_revision: Int64;
  readonly mod_revision: Int64;
  readonly value: Buffer;
}

export interface RangeRequest {
  readonly key: Buffer;
  readonly range_end?: Buffer;
  readonly limit?: number;
  readonly sort_order?: 'ASCEND' | 'DESCEND';
  readonly sort_target?: 'CREATE';
  readonly max_create_revision?: Int64 | number;
}

export type RequestOp =
  | { readonly request_range: RangeRequest }
  | { readonly request_put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: Int64 } }
  | { readonly request_delete_range: { readonly key: Buffer } };

export interface Compare {
  readonly result: 'EQUAL';
  readonly target: 'CREATE' | 'MOD';
  readonly key: Buffer;
  readonly create_revision?: Int64 | number;
  readonly mod_revision?: Int64 | number;
}

export interface TxnRequest {
  readonly compare?: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure?: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header: EtcdHeader;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly response_range?: { readonly kvs: readonly EtcdKeyValue[] } }[];
}

export interface WatchResponse {
  readonly header: EtcdHeader;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compact_revision: Int64;
  readonly cancel_reason: string;
  readonly events: readonly { readonly type: 'PUT' | 'DELETE'; readonly kv: EtcdKeyValue }[];
}

/** The calls with one request and one response, by their path. */
export interface EtcdCalls {
  '/etcdserverpb.KV/Range': { request: RangeRequest; response: { kvs: readonly EtcdKeyValue[] } };
  '/etcdserverpb.KV/Put': {
    request: { key: Buffer; value: Buffer; lease?: Int64 };
    response: { header: EtcdHeader };
  };
  '/etcdserverpb.KV/Txn': { request: TxnRequest; response: TxnResponse };
  '/etcdserverpb.KV/Compact': { request: { revision: number }; response: { header: EtcdHeader } };
  '/etcdserverpb.Lease/LeaseGrant': {
    request: { TTL: number; ID?: Int64 };
    response: { header: EtcdHeader; ID: Int64; TTL: Int64 };
  };
  '/etcdserverpb.Lease/LeaseRevoke': { request: { ID: Int64 }; response: { header: EtcdHeader } };
  '/etcdserverpb.Auth/Authenticate': {
    request: { name: string; password: string };
    response: { token: string };
  };
}

/** Everything after this key that begins with it, as the end of a range. */
export function endOfPrefix(prefix: string): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1]!++;
  return end;
}
