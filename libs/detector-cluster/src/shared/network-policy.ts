import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * IPv4 addresses that are no host of a network, or answer a machine about itself, often with credentials. From the registry of
 * special-purpose addresses of IANA, and those of cloud providers.
 */
const REFUSED_IPV4 = [
  // This host: Linux connects to itself.
  ['0.0.0.0', 8],
  // Link-local, with the metadata services of most clouds.
  ['169.254.0.0', 16],
  // Assignments of the IETF, with the metadata service of Oracle.
  ['192.0.0.0', 24],
  // Multicast.
  ['224.0.0.0', 4],
  // Reserved, with the broadcast address.
  ['240.0.0.0', 4],
  // The metadata services of Alibaba and Azure.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const;

/** Prefixes of 96 bits whose last 32 are an IPv4 address: IPv4-translated and NAT64. BlockList knows `::ffff:`. */
const EMBEDDING_PREFIXES = ['::ffff:0:', '64:ff9b::', '64:ff9b:1::'];

const REFUSED_NETWORKS = [
  ...REFUSED_IPV4.flatMap(([address, prefix]) => [
    `${address}/${prefix}`,
    ...EMBEDDING_PREFIXES.map((embedding) => `${embedding}${address}/${96 + prefix}`),
    // IPv4-compatible. The first network would hold ::1, which is the loopback.
    ...(address === '0.0.0.0' ? ['::/128'] : [`::${address}/${96 + prefix}`]),
    `2002:${groupsOf(address)}::/${16 + prefix}`,
  ]),
  // Discard-only and dummy prefixes.
  '100::/64',
  '100:0:0:1::/64',
  // Assignments of the IETF, among them Teredo.
  '2001::/23',
  // Segments of SRv6.
  '5f00::/16',
  'fe80::/10',
  // Multicast.
  'ff00::/8',
  // The metadata services of EC2 (with the credentials of pods), Google, Oracle and Scaleway.
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
];

const REFUSED_NAMES = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
];

const HOST_NAME = /^(?:\*\.)?[a-z0-9_]([a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62}){0,30}$/;

/** No address of a host is in an allowed network. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = 'FORBIDDEN_ADDRESS';
}

/**
 * The networks that cameras and workers may be in. Without a list every address is allowed except link-local, multicast and reserved
 * ones and those of metadata services; a list alone decides, so an entry such as `169.254.0.0/16` allows what is refused by default.
 */
export class NetworkPolicy {
  private readonly networks = new BlockList();
  private readonly names: ReadonlySet<string>;
  private readonly suffixes: readonly string[];
  private readonly isAllowList: boolean;

  private constructor(entries: readonly string[], isAllowList: boolean) {
    this.isAllowList = isAllowList;
    const names = isAllowList ? entries.filter((entry) => networkOf(entry) === null) : REFUSED_NAMES;
    this.names = new Set(names.filter((name) => !name.startsWith('*')).map((name) => name.toLowerCase()));
    this.suffixes = names.filter((name) => name.startsWith('*')).map((name) => name.slice(1).toLowerCase());
    for (const entry of entries) {
      const network = networkOf(entry);
      if (network !== null) this.networks.addSubnet(network.address, network.prefix, network.family);
    }
  }

  static readonly default = new NetworkPolicy(REFUSED_NETWORKS, false);

  /**
   * @param allowed networks in CIDR notation, addresses, host names, and `*.` before the names of a domain
   * @param problems gets a line for each entry that is none of these
   */
  static of(allowed: unknown, problems: string[]): NetworkPolicy {
    if (allowed === undefined) return NetworkPolicy.default;
    if (!Array.isArray(allowed)) {
      problems.push('networks: must be an array of networks, addresses and host names');
      return NetworkPolicy.default;
    }
    const entries: string[] = [];
    for (const [i, entry] of (allowed as unknown[]).entries()) {
      const isName = (text: string) => HOST_NAME.test(text.toLowerCase()) && !/^[\d.]+$/.test(text);
      if (typeof entry === 'string' && (networkOf(entry) !== null || isName(entry))) entries.push(entry);
      else
        problems.push(
          `networks[${i}]: must be a network such as 10.0.0.0/8, an address or a host name, got ${JSON.stringify(entry)}`,
        );
    }
    return new NetworkPolicy(entries, true);
  }

  /**
   * The problem of a URL's host; null if there is none. With a list, a name must be in it, because another machine resolves
   * it. Without one, names are allowed except those of metadata services.
   */
  problemOf(url: string): string | null {
    const host = hostOf(url);
    if (host === null) return 'must have a host that is an address or a name';
    const allowed = [host, hostAfterLastAt(url)].every((each) => each === null || this.allowsHost(each));
    return allowed ? null : this.problem;
  }

  /** {@link problemOf} for a URL that this process connects to by {@link lookup}, which checks the addresses of a name. */
  problemOfAddress(url: string): string | null {
    const host = hostOf(url);
    return host !== null && isIP(host) > 0 && !this.allows(host) ? this.problem : null;
  }

  /**
   * `dns.lookup` for connections: gives only the addresses that are allowed, and `ForbiddenAddressError` if there are none.
   * The connection uses exactly the address that was checked, so that a name cannot change its address between check and use.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const listed = this.isAllowList && this.isNamed(hostname.toLowerCase());
      // The DNS server of a listed name must not be able to lead to addresses that are refused by default.
      const allowed = found.filter(
        ({ address }) => this.allows(address) || (listed && NetworkPolicy.default.allows(address)),
      );
      const [first] = allowed as [LookupAddress | undefined];
      if (first === undefined)
        callback(new ForbiddenAddressError(`${hostname}: its address ${this.problem}`), '');
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  private get problem(): string {
    return this.isAllowList
      ? 'must be in one of the networks of the option networks'
      : 'must not be a link-local, multicast or reserved address, or that of a metadata service (the option networks can allow it)';
  }

  private allowsHost(host: string): boolean {
    return isIP(host) > 0 ? this.allows(host) : this.isNamed(host) === this.isAllowList;
  }

  private allows(address: string): boolean {
    return this.networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') === this.isAllowList;
  }

  private isNamed(host: string): boolean {
    return this.names.has(host) || this.suffixes.some((suffix) => host.endsWith(suffix));
  }
}

/** Whether a URL leads to this machine by an address of the loopback, or by `localhost`. */
export function isLoopback(url: string): boolean {
  const host = hostOf(url);
  if (host === null) return false;
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Null for a text that is neither a network nor an address. */
function networkOf(entry: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', length, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return null;
  const most = version === 6 ? 128 : 32;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const prefix = Number(length ?? most);
  return prefix > most ? null : { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' };
}

/**
 * The host of a URL as a resolver sees it: `rtsp://2852039166/` and `rtsp://0xa9.0xfe.0xa9.0xfe/` are both 169.254.169.254. Null for
 * hosts that resolvers and URL parsers read differently.
 */
function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { host } = new URL(url);
  const authority = url.slice(url.indexOf('//') + 2).split(/[/?#]/, 1)[0]!;
  if (host === '' || authority.includes('\\') || !URL.canParse(`http://${host}`)) return null;
  const { hostname } = new URL(`http://${host}`);
  return hostname.replace(/^\[|\]$|\.+$/g, '');
}

/**
 * The host as a reader sees it that looks for the last "@": `rtsp://camera/?@169.254.169.254/` leads some of them to 169.254.169.254.
 * Null if no "@" follows the authority.
 */
function hostAfterLastAt(url: string): string | null {
  const at = url.lastIndexOf('@');
  const end = url.slice(url.indexOf('//') + 2).search(/[/?#]/);
  if (at === -1 || end === -1 || at < url.indexOf('//') + 2 + end) return null;
  return hostOf(`http://${url.slice(at + 1)}`);
}

/** An IPv4 address as two groups of an IPv6 address. */
function groupsOf(address: string): string {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
