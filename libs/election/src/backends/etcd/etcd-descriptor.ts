type Fields = Readonly<Record<string, readonly [type: string, id: number, rule?: 'repeated']>>;

/** A message in the notation of protobufjs. `oneofs`: groups of fields; at most one field of a group is set. */
const message = (fields: Fields, oneofs: Readonly<Record<string, readonly string[]>> = {}) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [type, id, rule]]) => [name, { type, id, ...(rule && { rule }) }]),
  ),
  oneofs: Object.fromEntries(Object.entries(oneofs).map(([name, oneof]) => [name, { oneof: [...oneof] }])),
});

const method = (name: string, streams: { request?: boolean; response?: boolean } = {}) => ({
  requestType: `${name}Request`,
  responseType: `${name}Response`,
  ...(streams.request && { requestStream: true }),
  ...(streams.response && { responseStream: true }),
});

const BOTH_WAYS = { request: true, response: true };

/**
 * The part of etcd's API, version 3, that an election needs: names, types and numbers as in `rpc.proto`, `kv.proto` of etcd's
 * documentation. Fields that are not here keep their defaults.
 */
export const ETCD_DESCRIPTOR = {
  nested: {
    mvccpb: {
      nested: {
        KeyValue: message({
          key: ['bytes', 1],
          create_revision: ['int64', 2],
          mod_revision: ['int64', 3],
          value: ['bytes', 5],
          lease: ['int64', 6],
        }),
        EventType: { values: { PUT: 0, DELETE: 1 } },
        Event: message({ type: ['EventType', 1], kv: ['KeyValue', 2] }),
      },
    },
    etcdserverpb: {
      nested: {
        KV: {
          methods: {
            Range: method('Range'),
            Put: method('Put'),
            Txn: method('Txn'),
            Compact: { requestType: 'CompactionRequest', responseType: 'CompactionResponse' },
          },
        },
        Lease: {
          methods: {
            LeaseGrant: method('LeaseGrant'),
            LeaseRevoke: method('LeaseRevoke'),
            LeaseKeepAlive: method('LeaseKeepAlive', BOTH_WAYS),
          },
        },
        Watch: { methods: { Watch: method('Watch', BOTH_WAYS) } },
        Auth: { methods: { Authenticate: method('Authenticate') } },
        ResponseHeader: message({
          cluster_id: ['uint64', 1],
          member_id: ['uint64', 2],
          revision: ['int64', 3],
          raft_term: ['uint64', 4],
        }),
        SortOrder: { values: { NONE: 0, ASCEND: 1, DESCEND: 2 } },
        SortTarget: { values: { KEY: 0, VERSION: 1, CREATE: 2, MOD: 3, VALUE: 4 } },
        RangeRequest: message({
          key: ['bytes', 1],
          range_end: ['bytes', 2],
          limit: ['int64', 3],
          sort_order: ['SortOrder', 5],
          sort_target: ['SortTarget', 6],
          max_create_revision: ['int64', 13],
        }),
        RangeResponse: message({
          header: ['ResponseHeader', 1],
          kvs: ['mvccpb.KeyValue', 2, 'repeated'],
        }),
        PutRequest: message({ key: ['bytes', 1], value: ['bytes', 2], lease: ['int64', 3] }),
        PutResponse: message({ header: ['ResponseHeader', 1] }),
        DeleteRangeRequest: message({ key: ['bytes', 1] }),
        DeleteRangeResponse: message({ header: ['ResponseHeader', 1], deleted: ['int64', 2] }),
        RequestOp: message(
          {
            request_range: ['RangeRequest', 1],
            request_put: ['PutRequest', 2],
            request_delete_range: ['DeleteRangeRequest', 3],
          },
          { request: ['request_range', 'request_put', 'request_delete_range'] },
        ),
        ResponseOp: message(
          {
            response_range: ['RangeResponse', 1],
            response_put: ['PutResponse', 2],
            response_delete_range: ['DeleteRangeResponse', 3],
          },
          { response: ['response_range', 'response_put', 'response_delete_range'] },
        ),
        CompareResult: { values: { EQUAL: 0, GREATER: 1, LESS: 2, NOT_EQUAL: 3 } },
        CompareTarget: { values: { VERSION: 0, CREATE: 1, MOD: 2, VALUE: 3, LEASE: 4 } },
        Compare: message(
          {
            result: ['CompareResult', 1],
            target: ['CompareTarget', 2],
            key: ['bytes', 3],
            create_revision: ['int64', 5],
            mod_revision: ['int64', 6],
          },
          { target_union: ['create_revision', 'mod_revision'] },
        ),
        TxnRequest: message({
          compare: ['Compare', 1, 'repeated'],
          success: ['RequestOp', 2, 'repeated'],
          failure: ['RequestOp', 3, 'repeated'],
        }),
        TxnResponse: message({
          header: ['ResponseHeader', 1],
          succeeded: ['bool', 2],
          responses: ['ResponseOp', 3, 'repeated'],
        }),
        CompactionRequest: message({ revision: ['int64', 1] }),
        CompactionResponse: message({ header: ['ResponseHeader', 1] }),
        LeaseGrantRequest: message({ TTL: ['int64', 1], ID: ['int64', 2] }),
        LeaseGrantResponse: message({ header: ['ResponseHeader', 1], ID: ['int64', 2], TTL: ['int64', 3] }),
        LeaseRevokeRequest: message({ ID: ['int64', 1] }),
        LeaseRevokeResponse: message({ header: ['ResponseHeader', 1] }),
        LeaseKeepAliveRequest: message({ ID: ['int64', 1] }),
        LeaseKeepAliveResponse: message({
          header: ['ResponseHeader', 1],
          ID: ['int64', 2],
          TTL: ['int64', 3],
        }),
        WatchRequest: message(
          { create_request: ['WatchCreateRequest', 1] },
          { request_union: ['create_request'] },
        ),
        WatchCreateRequest: message({
          key: ['bytes', 1],
          range_end: ['bytes', 2],
          start_revision: ['int64', 3],
        }),
        WatchResponse: message({
          header: ['ResponseHeader', 1],
          watch_id: ['int64', 2],
          created: ['bool', 3],
          canceled: ['bool', 4],
          compact_revision: ['int64', 5],
          cancel_reason: ['string', 6],
          events: ['mvccpb.Event', 11, 'repeated'],
        }),
        AuthenticateRequest: message({ name: ['string', 1], password: ['string', 2] }),
        AuthenticateResponse: message({ header: ['ResponseHeader', 1], token: ['string', 2] }),
      },
    },
  },
};
