import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  createAuthority,
  startEtcd,
  tempDirectory,
  type Authority,
  type GuardedServer,
  type IssuedCertificate,
} from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ETCD_LONG_LEASE, ETCD_TIMING } from '../../test-support/etcd-harness.js';
import { eventually } from '../../testing/eventually.js';
import { Participant } from '../../testing/participant.js';
import type { EtcdSource } from './etcd-connection.js';
import type { EtcdError } from './etcd.error.js';
import { EtcdElectionBackend } from './etcd-election-backend.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** For what happens soon, on machines that are busy. Milliseconds. */
const TIMEOUT = 15_000;

const base64 = (text: string) => Buffer.from(text).toString('base64');

let lockName: string;
let participants: Participant[];
let errors: EtcdError[];

beforeEach(() => {
  lockName = `election-${randomUUID()}`;
  [participants, errors] = [[], []];
});
afterEach(async () => {
  await Promise.all(participants.map(({ elector }) => elector.stop()));
  await Promise.all(participants.map(({ backend }) => backend.close()));
});

const enter = (etcd: EtcdSource, timing = ETCD_TIMING): Participant => {
  const participant = new Participant(new EtcdElectionBackend({ etcd, lockName, ...timing }));
  participant.elector.on('error', (error) => errors.push(error as EtcdError));
  participants.push(participant);
  participant.elector.start();
  return participant;
};
const leads = (participant: Participant) => eventually('leads', TIMEOUT, () => participant.leads);
/** The second error, without those that a busy machine causes. */
const failure = () =>
  eventually('an error', TIMEOUT, () => errors.filter(({ code }) => code !== 'TIMEOUT')[1]);

describe('etcd with TLS and client certificates', () => {
  let directory: string;
  let authority: Authority;
  let server: GuardedServer;
  let client: IssuedCertificate;
  let expired: IssuedCertificate;

  beforeAll(async () => {
    directory = await tempDirectory('authority');
    authority = await createAuthority(directory);
    const { files } = await authority.issue('server');
    [client, expired] = [
      await authority.issue('client'),
      await authority.issue('expired', { end: new Date(Date.now() - 60_000) }),
    ];
    server = await startEtcd({ tls: { ca: authority.file, ...files } });
  });
  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });
  const endpoints = () => server.url;
  const tls = ({ certificate, key }: IssuedCertificate) => ({ ca: authority.ca, cert: certificate, key });

  it('elects', async () => {
    const first = enter({ endpoints: endpoints(), tls: tls(client) });
    await leads(first);
    const second = enter({ endpoints: endpoints(), tls: tls(client) });
    await eventually('follows', TIMEOUT, () => second.elector.leaderId === first.id);
    expect(errors).toEqual([]);
  });

  it('names an expired certificate, and takes the renewed one without a restart', async () => {
    let current = expired;
    const first = enter({ endpoints: endpoints(), tls: () => tls(current) });
    expect(await failure()).toMatchObject({
      code: 'CERTIFICATE',
      message: expect.stringMatching(/the client's certificate expired on .* \(check `tls`/),
    });
    current = client;
    await leads(first);
  });

  it('names a server whose certificate is not trusted', async () => {
    const { certificate, key } = client;
    enter({ endpoints: endpoints(), tls: { cert: certificate, key } });
    expect(await failure()).toMatchObject({ code: 'CERTIFICATE', endpoint: endpoints() });
  });

  it('names a file that is no certificate', async () => {
    enter({ endpoints: endpoints(), tls: () => Promise.reject(new Error('no such file: client.pem')) });
    expect((await failure()).message).toMatch(/its `tls` cannot be used: no such file: client.pem/);
  });

  it('says that plain text is the wrong way to talk to it', async () => {
    enter({ endpoints: endpoints().replace('https', 'http') });
    expect((await failure()).message).toMatch(/whether the members speak TLS/);
  });
});

describe('etcd with authentication', () => {
  let server: GuardedServer;
  const password = 'correct horse';

  const manage = async (path: string, body: object) => {
    const response = await fetch(`${server.url}/v3/auth/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };

  beforeAll(async () => {
    server = await startEtcd();
    await manage('user/add', { name: 'root', password: 'root' });
    await manage('user/grant', { user: 'root', role: 'root' });
    await manage('role/add', { name: 'elections' });
    const range = { key: base64('election'), range_end: base64('electioo') };
    await manage('role/grant', { name: 'elections', perm: { permType: 'READWRITE', ...range } });
    for (const name of ['allowed', 'stranger']) await manage('user/add', { name, password });
    await manage('user/grant', { user: 'allowed', role: 'elections' });
    await manage('enable', {});
  });
  afterAll(() => server.stop());

  it('elects, and again when the server has restarted and forgotten all tokens', async () => {
    const first = enter({ endpoints: server.url, username: 'allowed', password }, ETCD_LONG_LEASE);
    await leads(first);
    const { lease } = first.elector;
    await server.restart();
    const restarted = performance.now();
    await eventually('renewed', TIMEOUT, () => first.grants.at(-1)!.sentAt > restarted);
    expect(first.elector.lease).toBe(lease);
  });

  it.each([
    [
      'a wrong password',
      () => ({ username: 'allowed', password: 'guessed' }),
      'WRONG_CREDENTIALS',
      /check `username`/,
    ],
    ['no password', () => ({}), 'NO_CREDENTIALS', /give `username`/],
    [
      'a user without rights',
      () => ({ username: 'stranger', password }),
      'PERMISSION_DENIED',
      /readwrite on the keys/,
    ],
  ])('names %s, and keeps trying', async (_name, credentials, code, remedy) => {
    enter({ endpoints: server.url, ...credentials() });
    expect(await failure()).toMatchObject({ code, message: expect.stringMatching(remedy) });
    expect(errors.every(({ message }) => !message.includes('guessed'))).toBe(true);
    await eventually('tries again', TIMEOUT, () => errors.length > 3);
  });
});
