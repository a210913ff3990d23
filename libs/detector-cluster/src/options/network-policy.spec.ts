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
