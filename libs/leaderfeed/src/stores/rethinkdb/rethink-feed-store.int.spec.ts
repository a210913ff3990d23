import { eventually, VirtualClock } from '@detector-cluster/election/testing';
import { systemClock } from '@detector-cluster/election';
import { r, type Connection } from 'rethinkdb-ts';
import { afterEach, describe, expect, it } from 'vitest';
import { LeaderFeed } from '../../index.js';
import { RethinkTestServer } from '../../test-support/rethinkdb-test-server.js';
import type { FeedRecord } from '../../lease/feed-store.js';
import { RethinkElectionBackend } from './rethink-election-backend.js';
import { RethinkFeedStore, type RethinkPlace } from './rethink-feed-store.js';

const claim = (owner: string) => ({
  owner,
  candidateId: owner,
  ttl: 3_000,
  floor: 0,
  floorTtl: 0,
  claimedFor: 0,
});

/** The cluster of these tests behaves as a real one did: see docs/leaderfeed.md. */
describe('the store on RethinkDB', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  const startCluster = async (size = 1, lag = 0) => {
    const servers = await RethinkTestServer.startCluster(size, lag);
    ends.push(() => Promise.all(servers.map((server) => server.stop())));
    return servers as [RethinkTestServer, ...RethinkTestServer[]];
  };
  const open = async (server: RethinkTestServer, more: Partial<RethinkPlace> = {}) => {
    const connectionOptions = { host: '127.0.0.1', port: server.port };
    const store = new RethinkFeedStore(
      { r, db: 'app', table: 'leaders', connectionOptions, clock: systemClock, ...more },
      2_000,
    );
    ends.push(() => store.close());
    await store.open();
    return store;
  };
  const connect = async ({ port }: RethinkTestServer): Promise<Connection> => {
    const connection = await r.connect({ host: '127.0.0.1', port, silent: true });
    ends.push(() => connection.close());
    return connection;
  };
  const tablesOf = async (server: RethinkTestServer) =>
    r
      .db('app')
      .tableList()
      .run(await connect(server));

  describe('creation', () => {
    it('leaves one database and one table after concurrent creations on any servers', async () => {
      const servers = await startCluster(3, 200);
      const stores = await Promise.all(
        Array.from({ length: 12 }, (_, i) => open(servers[i % servers.length]!)),
      );
      await Promise.all(stores.map((store) => store.create()));
      const connection = await connect(servers[0]);
      expect((await r.dbList().run(connection)).sort()).toEqual(['app', 'test']);
      expect(await tablesOf(servers[0])).toEqual(['leaders']);
      for (const store of stores) await store.lease.nominate('another', 1_000);
    }, 60_000);

    it('confirms that concurrent `tableCreate` calls create several tables, which no query can use', async () => {
      const [server] = await startCluster();
      const connections = await Promise.all([connect(server), connect(server)]);
      await Promise.all(connections.map((connection) => r.db('test').tableCreate('twice').run(connection)));
      const use = r.db('test').table('twice').get('x').run(connections[0]!);
      await expect(use).rejects.toMatchObject({ name: 'ReqlOpFailedError' });
      await expect(use).rejects.toThrow('is ambiguous');
      const drop = r.db('test').tableDrop('twice').run(connections[0]!);
      await expect(drop).rejects.toThrow('is ambiguous');
    });

    it('removes its own table when another of that name is never removed', async () => {
      const [server] = await startCluster();
      const creating = Array.from({ length: 5 }, async () => (await open(server)).create());
      await eventually('they have begun', 5_000, () => server.tables.config('table_config').length > 0);
      // Created by a process that died, or by `tableCreate`, before the others look whether it is there.
      server.tables.addTwin('app', 'leaders');
      expect(server.tables.config('table_config')).toHaveLength(2);
      const created = r
        .db('app')
        .tableCreate('leaders')
        .run(await connect(server));
      await expect(created).rejects.toThrow('already exists');
      await Promise.all(creating);
      expect(await tablesOf(server)).toEqual(['leaders']);
    }, 60_000);

    it('uses `tableCreate` without rights to the system tables', async () => {
      const [server] = await startCluster();
      server.admin = false;
      const store = await open(server);
      await store.create();
      expect(await tablesOf(server)).toEqual(['leaders']);
      await (await open(server)).create();
      expect(await tablesOf(server)).toEqual(['leaders']);
    });

    it('says what to do when two tables of one name remain', async () => {
      const [server] = await startCluster();
      const connections = await Promise.all([connect(server), connect(server)]);
      await r.dbCreate('app').run(connections[0]!);
      await Promise.all(connections.map((each) => r.db('app').tableCreate('leaders').run(each)));
      await expect((await open(server)).create()).rejects.toThrow(
        'RethinkDB has 2 of table app.leaders, so that no query can use any: delete all but one of their rows in rethinkdb.table_config',
      );
    }, 30_000);

    it('creates nothing with `createIfMissing: false`, neither for a feed nor for an election', async () => {
      const [server] = await startCluster();
      const connection = { host: '127.0.0.1', port: server.port };
      const options = { driver: r, connection, table: 'leaders', createIfMissing: false };
      const backend = new RethinkElectionBackend({ ...options, onWarning: () => undefined });
      ends.push(() => backend.close());
      const ending = new AbortController();
      const states = backend.campaign({ id: 'a' }, ending.signal);
      const { value: missing } = await states.next();
      expect(missing).toMatchObject({ role: 'error', error: { name: 'ReqlOpFailedError' } });
      expect(server.tables.names('test')).toEqual([]);
      await r
        .db('test')
        .tableCreate('leaders')
        .run(await connect(server));
      let state = await states.next();
      while (state.value?.role === 'error') state = await states.next();
      expect(state.value).toMatchObject({ role: 'leader' });
      ending.abort();
      await states.return(undefined);
    }, 30_000);

    it('starts while a replica is down', async () => {
      const [server] = await startCluster();
      server.replicaDown = true;
      await (await open(server)).create();
    }, 10_000);
  });

  describe('the lease', () => {
    it('is taken over only after its length, whatever the server clocks show', async () => {
      const [first, second] = await startCluster(2);
      second!.clockOffset = 60_000;
      const clocks = [new VirtualClock(), new VirtualClock()] as const;
      await (await open(first)).create();
      const holder = await open(first, { clock: clocks[0] });
      const other = await open(second!, { clock: clocks[1] });
      const { term } = await holder.lease.acquire(claim('a'));
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'a', term, remaining: 3_000 });
      clocks[1].advance(2_999);
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'a', remaining: 1 });
      // A renewal restarts the observation.
      await holder.lease.renew(claim('a'));
      clocks[1].advance(1);
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'a', remaining: 3_000 });
      clocks[1].advance(3_000);
      const taken = await other.lease.acquire(claim('b'));
      expect(taken).toMatchObject({ owner: 'b' });
      expect(taken.term).toBeGreaterThan(term);
      expect(await holder.lease.renew(claim('a'))).toMatchObject({ owner: 'b' });
    });

    it('is not taken over when it was renewed since the last read', async () => {
      const [server] = await startCluster();
      const clock = new VirtualClock();
      const [holder, other] = [await open(server), await open(server, { clock })];
      await holder.create();
      await holder.lease.acquire(claim('a'));
      await other.lease.acquire(claim('b'));
      clock.advance(3_000);
      await holder.lease.renew(claim('a'));
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'a', remaining: 3_000 });
    });

    it('counts from renewals that the feed delivers, without a read', async () => {
      const [server] = await startCluster();
      const clock = new VirtualClock();
      const [holder, other] = [await open(server), await open(server, { clock })];
      await holder.create();
      let heard = false;
      await other.subscribe({
        heard: () => (heard = true),
        changed: () => undefined,
        leaseChanged: () => undefined,
        failed: () => undefined,
      });
      await holder.lease.acquire(claim('a'));
      await holder.lease.renew(claim('a'));
      // The feed delivers in order.
      await holder.write({ leader: 'a', by: 'a', kind: 'elect', election: 1 });
      await eventually('the feed has delivered', 5_000, () => heard);
      clock.advance(3_000);
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'b' });
    });

    it('is reserved for a successor for its length, and is free afterwards', async () => {
      const [server] = await startCluster();
      const clock = new VirtualClock();
      const [holder, other] = [await open(server), await open(server, { clock })];
      await holder.create();
      await holder.lease.acquire(claim('a'));
      await other.lease.nominate('c', 3_000);
      await holder.lease.release(claim('a'));
      expect(await other.lease.acquire(claim('b'))).toMatchObject({
        owner: null,
        successor: 'c',
        remaining: 3_000,
      });
      clock.advance(3_000);
      expect(await other.lease.acquire(claim('b'))).toMatchObject({ owner: 'b', successor: null });
    });
  });

  describe('the feed', () => {
    it('derives no leader from a document that is not its own', async () => {
      const [server] = await startCluster();
      const connection = await connect(server);
      await r.db('test').tableCreate('orders').run(connection);
      await r.table('orders').insert({ id: 'leaderfeed', election: 'of the works council' }).run(connection);
      const feed = new LeaderFeed.RethinkDB(r, {
        host: '127.0.0.1',
        port: server.port,
        heartbeatIntervalMs: 20,
      });
      ends.push(() => feed.stop());
      const problems: string[] = [];
      feed.on('heartbeat error', ({ message }) => problems.push(message));
      await feed.start({ table: 'orders' });
      const refusal =
        "RethinkDB refused to write the document 'leaderfeed' of orders: Expected type NUMBER but found STRING.";
      await expect(feed.elect()).rejects.toThrow(refusal);
      await eventually('it has tried', 5_000, () => problems.length > 0);
      expect([problems[0], feed.isLeader]).toEqual([refusal, false]);
    }, 30_000);

    it('reads the documents when the server skipped changes', async () => {
      const [server] = await startCluster();
      server.feedLimit = 5;
      const [store, writer] = [await open(server), await open(server)];
      await store.create();
      const heard: FeedRecord[] = [];
      const changes: unknown[] = [];
      let leaseChanges = 0;
      await store.subscribe({
        heard: (record) => heard.push(record),
        changed: (change) => changes.push(change),
        leaseChanged: () => leaseChanges++,
        failed: () => undefined,
      });
      await writer.write({ leader: 'a', by: 'a', kind: 'elect', election: 1 });
      const connection = await connect(server);
      // More changes than the feed keeps, in one write, so that the listener cannot read in between.
      const rows = r.db('app').table('leaders');
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => rows.insert({ id: `order ${i}` }).run(connection)),
      );
      await eventually('it has caught up', 5_000, () => leaseChanges > 0);
      expect(heard.at(-1)).toMatchObject({ leader: 'a', kind: 'elect' });
      expect(changes).not.toContainEqual(expect.objectContaining({ error: expect.anything() }));
    }, 30_000);

    it('breaks when the table is dropped, and continues when it is created again', async () => {
      const [server] = await startCluster();
      const feed = new LeaderFeed.RethinkDB(r, {
        host: '127.0.0.1',
        port: server.port,
        heartbeatIntervalMs: 50,
      });
      ends.push(() => feed.stop());
      const problems: string[] = [];
      feed.on('subscribe error', ({ message }) => problems.push(message));
      await feed.start({ table: 'leaders' });
      await eventually('it leads', 5_000, () => feed.isLeader);
      const connection = await connect(server);
      await r.db('test').tableDrop('leaders').run(connection);
      await eventually('it has noticed', 5_000, () => problems.length > 0);
      expect([problems[0], feed.isLeader]).toEqual([
        expect.stringContaining('Changefeed aborted (unavailable)'),
        false,
      ]);
      await expect(r.db('test').tableDrop('leaders').run(connection)).rejects.toThrow('does not exist');
      await r.db('test').tableCreate('leaders').run(connection);
      await eventually('it leads again', 10_000, () => feed.isLeader);
    }, 30_000);
  });
});
