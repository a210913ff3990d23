import {
  Client,
  credentials,
  type ChannelCredentials,
  type ClientDuplexStream,
  type Metadata,
} from '@grpc/grpc-js';
import type { EtcdCalls } from './etcd-api.js';
import { etcdMethod } from './etcd-services.js';
import type { EtcdTls } from './etcd-tls.js';

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
