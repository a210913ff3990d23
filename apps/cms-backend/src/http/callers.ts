import { Inject, Injectable, Logger } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Role } from '../config/api-keys-variable.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

const digest = (value: string) => createHash('sha256').update(value).digest();

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Who sends a request. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}

const ANYBODY: Caller = { name: 'anybody', role: 'operate' };

/** What a proxy that authenticates, such as oauth2-proxy, says of its user. The groups have commas between them. */
const HEADERS = { user: 'x-forwarded-user', groups: 'x-forwarded-groups' };

const MAX_NAME_LENGTH = 128;

/** The log has at most one line about forged headers in this time. Milliseconds. */
const WARNING_INTERVAL = 10_000;

/** Finds out who sends a request: the user that the trusted proxy names, or the owner of its key. */
@Injectable()
export class Callers {
  private readonly logger = new Logger('Access');
  private readonly keys: readonly (Caller & { readonly digest: Buffer })[];
  private readonly proxies = new BlockList();
  private warnedAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(APP_CONFIG) private readonly config: { readonly http: Pick<AppConfig['http'], 'keys' | 'proxy'> },
  ) {
    this.keys = config.http.keys.map(({ name, role, key }) => ({ name, role, digest: digest(key) }));
    for (const network of config.http.proxy?.networks ?? []) {
      const [address = '', prefix = isIPv6(address) ? '128' : '32'] = network.split('/');
      this.proxies.addSubnet(address, Number(prefix), familyOf(address));
    }
  }

  /**
   * `unknown`: the request names no user, and its key is wrong. `forged`: it claims to come from the trusted proxy, and does not, or not
   * from it alone: a client cannot name a user, and a proxy that passes on what its client has sent is not to be trusted. Where neither
   * keys nor a proxy are configured, every caller may operate.
   */
  identify({ headersDistinct, socket, url }: IncomingMessage, key: string): Caller | 'forged' | 'unknown' {
    const { keys, proxy } = this.config.http;
    if (proxy === null) return keys.length === 0 ? ANYBODY : this.ownerOf(key);
    const { [HEADERS.user]: users = [], [HEADERS.groups]: groups = [] } = headersDistinct;
    const address = socket.remoteAddress ?? '';
    const isTrusted = address !== '' && this.proxies.check(address, familyOf(address));
    const isClear = users.length <= 1 && groups.length <= 1 && (users[0] ?? '').length <= MAX_NAME_LENGTH;
    if (users.length + groups.length > 0 && !(isTrusted && isClear)) {
      this.warn(`refuses a request of ${address} that names a user: ${url?.split('?')[0]}`);
      return 'forged';
    }
    const name = users[0]?.trim() ?? '';
    if (name === '') return this.ownerOf(key);
    const names = [name, ...(groups[0] ?? '').split(',').map((group) => group.trim())];
    return { name, role: names.some((each) => proxy.operators.includes(each)) ? 'operate' : 'read' };
  }

  private ownerOf(key: string): Caller | 'unknown' {
    const of = digest(key);
    // Digests have one length, and all are compared, so the time reveals nothing about the keys.
    const matching = this.keys.filter((each) => timingSafeEqual(of, each.digest));
    return matching[0] ?? 'unknown';
  }

  private warn(message: string): void {
    if (performance.now() - this.warnedAt < WARNING_INTERVAL) return;
    this.warnedAt = performance.now();
    this.logger.warn(message);
  }
}
