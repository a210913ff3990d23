import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate, freePort } from '@detector-cluster/dev-services';
import { eventually } from '@detector-cluster/election/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RealGroup, SECRET, type RealMember } from '../test-support/real-group.js';
import type { GroupMessage } from './message.js';
import { channelKeys, FRAME_FAULTS } from './frame-codec.js';
import { FrameWriter } from './frame-writer.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let group: RealGroup;
const start = async (size: number, options = {}) => {
  group = new RealGroup();
  return group.start(size, options);
};

const addressOf = ({ member }: RealMember) => member.members.find(({ id }) => id === member.id)!.address;

/** An attacker that reaches the port, with or without the secret. */
async function intrude(target: RealMember, secret: string | null = null) {
  const nonce = '0123456789abcdef'.repeat(2);
  const socket = new WebSocket(`ws://${addressOf(target)}/?n=${nonce}`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  const [hello] = (await once(socket, 'message')) as [Buffer];
  const greeting = JSON.parse(String(hello)) as { nonce: string };
  const writer = secret && new FrameWriter(channelKeys(secret, nonce, greeting.nonce).dialler);
  const sign = (message: object) => (writer as FrameWriter).write(message as GroupMessage);
  return { socket, closed, sign };
}

const election = (target: RealMember, more: object = {}) => ({
  v: 1,
  group: 'default',
  epoch: 1,
  from: { id: 9, address: '127.0.0.1:1', boot: 'intruder', incarnation: 0 },
  to: target.member.id!,
  type: 'ELECTION',
  ...more,
});

const held = () => process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)).length;

describe('members over WebSockets', () => {
  afterEach(() => group.stop());

  it('leaves no socket and no timer behind', async () => {
    const before = held();
    await start(4);
    await group.stop();
    await eventually('nothing is held', 3_000, () => held() <= before);
  });

  it('leaves nothing behind when it is stopped while it starts', async () => {
    const before = held();
    group = new RealGroup();
    const { member } = group.create();
    const started = member.start();
    await member.stop();
    await started;
    expect(member.id).toBeNull();
    await eventually('nothing is held', 3_000, () => held() <= before);
  });

  it('learn of a departing leader, and of a member that departs', async () => {
    await start(4);
    const leader = await group.agreed();
    const rest = group.all.filter((each) => each !== leader);
    const { id } = leader.member;
    await leader.member.stop();
    await group.agreed(rest, 5_000);
    for (const { member } of rest) expect(member.memberOf(id!)?.status).toBe('departed');
  });

  it('do not let a process with another secret join', async () => {
    await start(1);
    const stranger = group.create({ secret: 'quite another secret' });
    await expect(stranger.member.start()).rejects.toMatchObject({
      name: 'JoinError',
      failure: 'leader-unreachable',
    });
    expect(group.warnings.join()).toContain('do all members have the same secret?');
    group.all.splice(1);
    await group.agreed();
  });

  it('learn when another process listens at their address', async () => {
    const [first] = await start(1);
    const second = group.create({ internalAddress: addressOf(first!) });
    await expect(second.member.start()).rejects.toMatchObject({
      name: 'AddressInUseError',
      message: expect.stringContaining(`internalAddress ${addressOf(first!)}: another process listens there`),
    });
    group.all.pop();
  });

  it('learn which member has their address', async () => {
    const [, first] = await start(2, { busyWait: 50 });
    const other = group.all.find(({ member }) => !member.mayAct) ?? first!;
    const port = await freePort();
    const second = group.create({
      internalAddress: addressOf(other),
      listen: { host: '127.0.0.1', port },
      busyWait: 50,
    });
    await expect(second.member.start()).rejects.toMatchObject({
      name: 'AddressInUseError',
      holder: other.member.id,
      message: expect.stringContaining(
        `internalAddress ${addressOf(other)}: member ${other.member.id} has it`,
      ),
    });
    group.all.pop();
    await group.agreed();
  });

  it('speak TLS with certificates on both ends', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'group-tls-'));
    try {
      const { ca, key } = await createCertificate(directory);
      const [target] = await start(3, { tls: { key, cert: ca, ca } });
      const url = `wss://${addressOf(target!)}/?n=${'0'.repeat(32)}`;
      const without = new WebSocket(url, { ca });
      const [error] = (await once(without, 'error')) as [Error];
      expect(error.message).toMatch(/certificate required|socket hang up|ECONNRESET/);
      await group.agreed();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('members that are abused', () => {
  let target: RealMember;
  beforeAll(async () => {
    await start(2, { maxPayload: 64 * 1024 });
    target = group.all[0]!;
  });
  beforeEach(() => {
    for (const fault of FRAME_FAULTS) target.transport.faults[fault] = 0;
  });
  afterEach(() => group.agreed());
  afterAll(() => group.stop());

  it.each([
    ['malformed', 'nonsense{'],
    ['unsigned', JSON.stringify({ v: 1, type: 'ELECTION' })],
    ['forged', `${JSON.stringify({ v: 1 }).slice(0, -1)},"mac":"${'x'.repeat(43)}"}`],
  ] as const)('count %s frames, drop them, and close after repeated ones', async (fault, frame) => {
    const { socket, closed } = await intrude(target);
    for (let i = 0; i < 8; i++) socket.send(frame);
    expect(await closed).toBe(1008);
    expect(target.transport.faults[fault]).toBe(5);
    expect(group.warnings.filter((warning) => warning.includes(`dropped a ${fault} frame`))).toHaveLength(1);
  });

  it('close at once on an oversized frame', async () => {
    const { socket, closed } = await intrude(target);
    socket.send('x'.repeat(64 * 1024 + 1));
    expect(await closed).toBe(1009);
    expect(target.transport.faults.oversized).toBe(1);
  });

  it('close connections that do not begin with a valid handshake, and serve nothing else', async () => {
    const socket = new WebSocket(`ws://${addressOf(target)}/`);
    expect((await once(socket, 'close'))[0]).toBe(1008);
    expect((await fetch(`http://${addressOf(target)}/`)).status).toBe(426);
    expect(target.transport.faults.malformed).toBe(1);
  });

  it.each([
    ['version', { v: 2 }],
    ['other-group', { group: 'another' }],
    ['malformed', { type: 'UNHEARD-OF' }],
    ['malformed', { from: { id: -1 } }],
  ] as const)('count signed frames that are wrong otherwise: %s', async (fault, wrong) => {
    const { socket, sign, closed } = await intrude(target, SECRET);
    for (let i = 0; i < 5; i++) socket.send(sign(election(target, wrong)));
    expect(await closed).toBe(1008);
    expect(target.transport.faults[fault]).toBe(5);
  });

  it('accept a signed frame once, and not on another connection', async () => {
    const { faults } = target.transport;
    const first = await intrude(target, SECRET);
    const frame = first.sign({ ...election(target), type: 'OKAY' });
    first.socket.send(frame);
    first.socket.send(frame);
    await eventually('it is noticed', 5_000, () => faults.replayed === 1);
    const second = await intrude(target);
    second.socket.send(frame);
    await eventually('it is noticed', 5_000, () => faults.forged === 1);
    for (const { socket } of [first, second]) socket.terminate();
  });
});
