import { TextLeaderStore } from '../../store/leader-store.js';
import { EtcdGateway } from './etcd-gateway.js';

export interface EtcdLeaderStoreOptions {
  /** URLs of the members, such as `https://etcd-1:2379`. */
  readonly hosts: string | readonly string[];
  /** Default `group-membership/leader`. Each group needs its own. */
  readonly key?: string;
  /** PEM: the authority, and this client's certificate if the server requires one. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly auth?: { readonly username: string; readonly password: string };
  /** Timeout of each call. Milliseconds; default 2,000. */
  readonly timeout?: number;
}

const encode = (text: string) => Buffer.from(text).toString('base64');

/**
 * Keeps the record in etcd 3.4 or newer. Reads and writes need a majority of etcd's members. The store uses etcd's JSON
 * gateway, so it needs no driver.
 */
export class EtcdLeaderStore extends TextLeaderStore {
  readonly durable = true;
  private readonly gateway: EtcdGateway;
  private readonly key: string;

  /** @throws RangeError when there is no host, or a host is not a URL. */
  constructor(options: EtcdLeaderStoreOptions) {
    super();
    const { key = 'group-membership/leader', tls, auth, timeout = 2_000 } = options;
    const hosts = [options.hosts].flat();
    for (const host of hosts)
      if (!URL.canParse(host) || !/^https?:$/.test(new URL(host).protocol))
        throw new RangeError(`hosts must be URLs such as http://127.0.0.1:2379, not ${JSON.stringify(host)}`);
    if (hosts.length === 0) throw new RangeError('hosts must name at least one member of etcd');
    this.key = encode(key);
    this.gateway = new EtcdGateway({ hosts, tls, auth, timeout });
  }

  async read(): Promise<string | null> {
    const { kvs } = await this.gateway.call<{ kvs?: { value: string }[] }>('/v3/kv/range', { key: this.key });
    return kvs?.[0] ? Buffer.from(kvs[0].value, 'base64').toString() : null;
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    const { key } = this;
    const compare =
      expected === null
        ? { key, target: 'CREATE', create_revision: '0' }
        : { key, target: 'VALUE', value: encode(expected) };
    const { succeeded } = await this.gateway.call<{ succeeded?: boolean }>('/v3/kv/txn', {
      compare: [{ ...compare, result: 'EQUAL' }],
      success: [{ request_put: { key, value: encode(next) } }],
    });
    return succeeded === true;
  }

  protected async write(text: string): Promise<void> {
    await this.gateway.call('/v3/kv/put', { key: this.key, value: encode(text) });
  }

  cleanup(): Promise<void> {
    return Promise.resolve();
  }
}
