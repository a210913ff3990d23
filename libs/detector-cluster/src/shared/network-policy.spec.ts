import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NetworkPolicy } from './network-policy.js';

function policy(...allowed: string[]): NetworkPolicy {
  const problems: string[] = [];
  const made = NetworkPolicy.of(allowed, problems);
  expect(problems).toEqual([]);
  return made;
}

async function connects(given: NetworkPolicy): Promise<string> {
  const server = createServer((socket) => socket.end('HTTP/1.1 204 x\r\n\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve) => {
      const options = { host: 'localhost', port, lookup: given.lookup, agent: false };
      const sent = request(options, ({ statusCode }) => resolve(String(statusCode)));
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end();
    });
  } finally {
    server.close();
  }
}

/** Every notation of an IPv4 address that resolvers and URL parsers read. */
function notationsOf(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const each = (write: (byte: number) => string) => bytes.map(write).join('.');
  return [
    address,
    `${address}.`,
    String(number),
    `0x${number.toString(16)}`,
    `0X${number.toString(16).toUpperCase()}.`,
    `0${number.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    each((byte) => `0x${byte.toString(16)}`),
    each((byte) => `0${byte.toString(8)}`),
    each((byte) => `000${byte.toString(8)}`),
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    address.replaceAll('.', '%2E'),
    address.replaceAll('.', '\u3002'),
    [...address].map((c) => (c === '.' ? c : String.fromCharCode(c.charCodeAt(0) + 0xfee0))).join(''),
    `[::ffff:${address}]`,
    `[64:ff9b::${address}]`,
  ];
}

describe('NetworkPolicy', () => {
  it.each([
    'rtsp://169.254.169.254/latest/meta-data',
    'http://user:word@169.254.1.1:80/',
    'rtsp://2852039166/',
    'rtsp://0xa9fea9fe/',
    'rtsp://0251.0376.0251.0376/',
    'rtsp://169.254.43518/',
    'rtsp://169%2E254%2E169%2E254/',
    'http://①69.254.169.254/',
    'rtsp://[::ffff:169.254.169.254]/',
    'rtsp://[fe80::1]:554/',
    'rtsp://[fd00:ec2::254]/',
    'rtsp://[64:ff9b::169.254.169.254]/',
    'rtsp://[::169.254.169.254]/',
    'rtsp://[::ffff:0:169.254.169.254]/',
    'rtsp://[64:ff9b:1::169.254.169.254]/',
    'rtsp://[2002:a9fe:a9fe::1]/',
    'http://[fd00:ec2::23]/',
    'http://[fd20:ce::254]/',
    'http://[64:ff9b::100.100.100.200]/',
    'rtsp://camera/?@169.254.169.254/',
    'rtsp://camera/#@169.254.169.254',
    'rtsp://camera/a:b@[fd00:ec2::254]:80/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata.google.internal../',
    'http://10.0.0.1\\@169.254.169.254/',
  ])('refuses %s by default', (url) => {
    expect(NetworkPolicy.default.problemOf(url)).toMatch(/^must /);
  });

  it.each([
    'rtsp://10.0.0.1/1',
    'rtsp://u:p@cam.example.com:554/',
    'rtsp://[fd00::1]/',
    'ws://127.0.0.1:1',
    'rtsp://cam_1/',
    'http://192.0.2.1/snap@2x.jpg',
    'rtsp://[2001:db8::1]/',
    'rtsp://[64:ff9b::192.0.2.1]/',
  ])('allows %s by default', (url) => {
    expect(NetworkPolicy.default.problemOf(url)).toBeNull();
  });

  // The registries of special-purpose addresses of IANA, one address of each row.
  it.each([
    ['0.1.2.3', 'this network', 'refused'],
    ['0.0.0.0', 'this host', 'refused'],
    ['10.1.2.3', 'private', 'allowed'],
    ['100.64.1.2', 'shared by providers', 'allowed'],
    ['127.0.0.1', 'loopback', 'allowed'],
    ['169.254.1.2', 'link-local', 'refused'],
    ['172.16.1.2', 'private', 'allowed'],
    ['192.0.0.1', 'IETF assignments', 'refused'],
    ['192.0.0.8', 'IPv4 dummy', 'refused'],
    ['192.0.0.9', 'port control anycast', 'refused'],
    ['192.0.0.170', 'NAT64 discovery', 'refused'],
    ['192.0.0.192', 'metadata service of Oracle', 'refused'],
    ['192.0.2.1', 'documentation', 'allowed'],
    ['192.31.196.1', 'AS112', 'allowed'],
    ['192.52.193.1', 'AMT', 'allowed'],
    ['192.88.99.1', 'former 6to4 anycast', 'allowed'],
    ['192.168.1.2', 'private', 'allowed'],
    ['192.175.48.1', 'AS112', 'allowed'],
    ['198.18.0.1', 'benchmarking', 'allowed'],
    ['198.51.100.1', 'documentation', 'allowed'],
    ['203.0.113.1', 'documentation', 'allowed'],
    ['224.0.0.1', 'multicast', 'refused'],
    ['239.255.255.250', 'multicast', 'refused'],
    ['240.0.0.1', 'reserved', 'refused'],
    ['255.255.255.255', 'broadcast', 'refused'],
    ['[::1]', 'loopback', 'allowed'],
    ['[::]', 'unspecified', 'refused'],
    ['[::ffff:10.0.0.1]', 'IPv4-mapped', 'allowed'],
    ['[::ffff:224.0.0.1]', 'IPv4-mapped', 'refused'],
    ['[::ffff:0.0.0.0]', 'IPv4-mapped', 'refused'],
    ['[::224.0.0.1]', 'IPv4-compatible', 'refused'],
    ['[64:ff9b::10.0.0.1]', 'NAT64', 'allowed'],
    ['[64:ff9b::192.0.0.192]', 'NAT64', 'refused'],
    ['[64:ff9b::e000:1]', 'NAT64', 'refused'],
    ['[64:ff9b:1::192.0.0.192]', 'NAT64, local use', 'refused'],
    ['[100::1]', 'discard-only', 'refused'],
    ['[100:0:0:1::1]', 'dummy', 'refused'],
    ['[2001::1]', 'Teredo', 'refused'],
    ['[2001:1::1]', 'port control anycast', 'refused'],
    ['[2001:2::1]', 'benchmarking', 'refused'],
    ['[2001:20::1]', 'ORCHIDv2', 'refused'],
    ['[2001:db8::1]', 'documentation', 'allowed'],
    ['[2001:4860::1]', 'global', 'allowed'],
    ['[2002:a00:1::1]', '6to4 of 10.0.0.1', 'allowed'],
    ['[2002:c000:c0::1]', '6to4 of 192.0.0.192', 'refused'],
    ['[2002:e000:1::1]', '6to4 of 224.0.0.1', 'refused'],
    ['[2620:4f:8000::1]', 'AS112', 'allowed'],
    ['[3fff::1]', 'documentation', 'allowed'],
    ['[5f00::1]', 'SRv6', 'refused'],
    ['[fc00::1]', 'private', 'allowed'],
    ['[fd12:3456::1]', 'private', 'allowed'],
    ['[fe80::1]', 'link-local', 'refused'],
    ['[fec0::1]', 'former site-local', 'allowed'],
    ['[ff02::1]', 'multicast', 'refused'],
    ['[ff0e::1]', 'multicast', 'refused'],
  ])('%s (%s) is %s by default', (host, _purpose, verdict) => {
    for (const url of [`rtsp://${host}/`, `http://user:word@${host}:554/x`, `rtsp://cam/?@${host}/`])
      expect(NetworkPolicy.default.problemOf(url) === null ? 'allowed' : 'refused').toBe(verdict);
    // A worker's address is checked apart, because names are resolved here.
    expect(NetworkPolicy.default.problemOfAddress(`ws://${host}:8000`) === null).toBe(verdict === 'allowed');
  });

  it.each(['192.0.0.192', '224.0.0.251', '169.254.169.254', '255.255.255.255', '0.0.0.0'])(
    'refuses %s in every notation',
    (address) => {
      const allowed = notationsOf(address).filter(
        (host) => NetworkPolicy.default.problemOf(`rtsp://${host}/stream`) === null,
      );
      expect(allowed).toEqual([]);
    },
  );

  it('allows a private address in the notations that a resolver reads as that', () => {
    const refused = notationsOf('10.20.30.40').filter(
      (host) => NetworkPolicy.default.problemOf(`rtsp://${host}/stream`) !== null,
    );
    expect(refused).toEqual([]);
  });

  it('allows exactly what a list names', () => {
    const list = policy(
      '10.1.0.0/16',
      'fd00::/8',
      '192.0.2.7',
      'nvr.example.com',
      '*.cams.example.com',
      '169.254.3.0/24',
    );
    const allowed = (url: string) => list.problemOf(url) === null;
    expect(
      [
        'rtsp://10.1.2.3/',
        'rtsp://10.2.2.3/',
        'rtsp://[fd12::1]/',
        'rtsp://[fe80::1]/',
        'rtsp://[::ffff:10.1.2.3]/',
        'rtsp://192.0.2.7/',
        'rtsp://192.0.2.8/',
        'rtsp://NVR.example.com/',
        'rtsp://other.example.com/',
        'rtsp://a.cams.example.com/',
        'rtsp://cams.example.com/',
        'rtsp://evilcams.example.com/',
        'rtsp://169.254.3.1/',
        'rtsp://127.0.0.1/',
        'rtsp://10.1.2.3/?@10.2.2.3',
        'rtsp://10.1.2.3/?@10.1.2.4',
      ].filter(allowed),
    ).toEqual([
      'rtsp://10.1.2.3/',
      'rtsp://[fd12::1]/',
      'rtsp://[::ffff:10.1.2.3]/',
      'rtsp://192.0.2.7/',
      'rtsp://NVR.example.com/',
      'rtsp://a.cams.example.com/',
      'rtsp://169.254.3.1/',
      'rtsp://10.1.2.3/?@10.1.2.4',
    ]);
  });

  it('names each entry that is no network, address or host name', () => {
    const problems: string[] = [];
    NetworkPolicy.of(
      ['10.0.0.0/8', '10.0.0.0/33', '1.2.3', 'a b', '', 7, 'fe80::1%eth0', '10.0.0.0/8/8', '*'],
      problems,
    );
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `networks[${i}]`),
    );
    NetworkPolicy.of('10.0.0.0/8', problems);
    expect(problems.at(-1)).toMatch(/^networks: must be an array/);
  });

  describe('lookup', () => {
    it('connects to names whose address is allowed, or that are listed', async () => {
      expect(await connects(NetworkPolicy.default)).toBe('204');
      expect(await connects(policy('127.0.0.0/8', '::1'))).toBe('204');
      expect(await connects(policy('localhost'))).toBe('204');
    });

    it('does not follow a name to a metadata service, even if the list names it', async () => {
      // The resolver of the system reads this name as 169.254.169.254.
      const name = '0xa9fea9fe';
      const found = (given: NetworkPolicy) =>
        new Promise((resolve) => {
          given.lookup(name, {}, (error, address) => resolve(error?.code ?? address));
        });
      expect(await found(NetworkPolicy.default)).toBe('FORBIDDEN_ADDRESS');
      expect(await found(policy(name))).toBe('FORBIDDEN_ADDRESS');
      expect(await found(policy(name, '169.254.0.0/16'))).toBe('169.254.169.254');
    });

    it('refuses names whose addresses are all in other networks', async () => {
      expect(await connects(policy('10.0.0.0/8'))).toBe('FORBIDDEN_ADDRESS');
    });
  });
});
