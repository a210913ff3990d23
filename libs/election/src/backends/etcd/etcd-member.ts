import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  type Metadata,
  type MethodDefinition,
} from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import type { EtcdCalls } from './etcd-api.js';
import { ETCD_DESCRIPTOR } from './etcd-descriptor.js';
import type { EtcdTls } from './etcd-tls.js';

type Descriptor = Parameters<typeof fromJSON>[0];

const methods = new Map<string, MethodDefinition<object, object>>();

for (const service of Object.values(
  fromJSON(ETCD_DESCRIPTOR as Descriptor, {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: false,
  }),
))
  if (!('format' in service))
    for (const method of Object.values(service))
      methods.set(method.path, method as MethodDefinition<object, object>);

/** How requests and responses of a call are written and read. */
function etcdMethod(path: string): MethodDefinition<object, object> {
  const method = methods.get(path);
  if (!method) throw new Error(`etcd has no method ${path} here`);
  return method;
}

/** Each member has a separate connection without a web proxy. The election decides whether to retry. */
const CHANNEL = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** The connection to one member of an etcd cluster. */
export class EtcdMember {
  private readonly client: Client;

  constructor(
    readonly endpoint: string,
    readonly tls: EtcdTls | undefined,
  ) {
    const { protocol, host } = new URL(endpoint);
    const address = /:\d+$/.test(host) ? host : `${host}:2379`;
    this.client = new Client(address, channelCredentials(protocol, tls), CHANNEL);
  }

  call<Path extends keyof EtcdCalls>(
    path: Path,
    request: EtcdCalls[Path]['request'],
    metadata: Metadata,
    timeout: number,
  ): Promise<EtcdCalls[Path]['response']> {
    const { requestSerialize, responseDeserialize } = etcdMethod(path);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + timeout },
        (error, response) => (error ? reject(error) : resolve(response as EtcdCalls[Path]['response'])),
      );
    });
  }

  /** @param timeout Default: none. */
  stream(path: string, metadata: Metadata, timeout = Infinity): ClientDuplexStream<object, object> {
    const { requestSerialize, responseDeserialize } = etcdMethod(path);
    const deadline = Date.now() + timeout;
    return this.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, {
      deadline,
    });
  }

  close(): void {
    this.client.close();
  }
}

function channelCredentials(protocol: string, tls: EtcdTls | undefined): ChannelCredentials {
  if (protocol !== 'https:') return credentials.createInsecure();
  return credentials.createSsl(buffer(tls?.ca), buffer(tls?.key), buffer(tls?.cert));
}

function buffer(pem: string | Buffer | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}
