import { readFileSync } from 'node:fs';
import { makeTypedQueryFactory } from '@prisma/client/runtime/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../../apps/cms-backend/src/generated/prisma/client.js';
import {
  allPublished,
  newCamera,
  openTriggersDatabase,
  type TriggersDatabase,
  unique,
} from '../../../../../test/support/triggers-database.js';
import { until } from '../../../../../test/support/until.js';
import type { ChangedRows } from '../changed-rows.js';
import { NESTED_WRITES, READS } from './change-filter.js';
import type { SubscriptionChange } from './publisher.js';
import { subscriptionTriggers } from './subscription-triggers.js';

/** The rows that each write finds: two displays of one camera, with a playlist and a model. */
interface Rows {
  readonly camera: { readonly id: number; readonly cameraIdentifier: string };
  readonly other: { readonly id: number; readonly cameraIdentifier: string };
  readonly display: { readonly id: number; readonly displayId: string };
  readonly playlist: { readonly id: number };
  readonly models: readonly [{ readonly id: number }, { readonly id: number }];
}

type Client = PrismaClient;
type Write = (client: Client, rows: Rows) => PromiseLike<unknown>;

const newDisplay = () => ({ displayId: unique('d') });
const rtspUrl = 'rtsp://h/changed';

/** Every operation of a model: what changes nothing, and how the others are tried. */
const MODEL_OPERATIONS: Readonly<Record<string, 'reads' | Write>> = {
  findUnique: 'reads',
  findUniqueOrThrow: 'reads',
  findFirst: 'reads',
  findFirstOrThrow: 'reads',
  findMany: 'reads',
  count: 'reads',
  aggregate: 'reads',
  groupBy: 'reads',
  findRaw: 'reads',
  aggregateRaw: 'reads',
  create: (client) => client.display.create({ data: newDisplay() }),
  createMany: (client) => client.display.createMany({ data: [newDisplay(), newDisplay()] }),
  createManyAndReturn: (client) => client.display.createManyAndReturn({ data: [newDisplay(), newDisplay()] }),
  update: (client, { camera: { id } }) => client.camera.update({ where: { id }, data: { rtspUrl } }),
  updateMany: (client, { camera: { id } }) => client.camera.updateMany({ where: { id }, data: { rtspUrl } }),
  updateManyAndReturn: (client, { camera: { id } }) =>
    client.camera.updateManyAndReturn({ where: { id }, data: { rtspUrl } }),
  upsert: (client, { camera: { id } }) =>
    client.camera.upsert({ where: { id }, create: newCamera(), update: { rtspUrl } }),
  delete: (client, { camera: { id } }) => client.camera.delete({ where: { id } }),
  deleteMany: (client, { display: { id } }) => client.display.deleteMany({ where: { id } }),
};

const CHANGE = 'update "Camera" set "rtspUrl" = $1 where id = $2';

/** Every method of a client that begins with "$". */
const CLIENT_METHODS: Readonly<Record<string, 'reads' | 'internal' | 'transaction' | 'mongodb' | Write>> = {
  $on: 'reads',
  $connect: 'reads',
  $disconnect: 'reads',
  $extends: 'reads',
  $parent: 'reads',
  // The public methods call them.
  $executeRawInternal: 'internal',
  $queryRawInternal: 'internal',
  // Every write is also tried in arrays and in interactive and nested transactions.
  $transaction: 'transaction',
  $runCommandRaw: 'mongodb',
  $executeRaw: (client, { camera: { id } }) =>
    client.$executeRaw`update "Camera" set "rtspUrl" = ${rtspUrl} where id = ${id}`,
  $executeRawUnsafe: (client, { camera: { id } }) => client.$executeRawUnsafe(CHANGE, rtspUrl, id),
  $queryRaw: (client, { camera: { id } }) =>
    client.$queryRaw(
      Prisma.sql`with changed as (update "Camera" set "rtspUrl" = ${rtspUrl} where id = ${id} returning id) select count(*)::int from changed`,
    ),
  $queryRawUnsafe: (client, { camera: { id } }) =>
    client.$queryRawUnsafe(`${CHANGE} returning id`, rtspUrl, id),
  $queryRawTyped: (client, { camera: { id } }) =>
    (client as unknown as { $queryRawTyped(sql: unknown): Promise<unknown> }).$queryRawTyped(
      makeTypedQueryFactory(`${CHANGE} returning id`)(rtspUrl, id),
    ),
};

/** Every operation of a relation. */
const NESTED_OPERATIONS: Readonly<Record<string, Write>> = {
  create: (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { displays: { create: newDisplay() } } }),
  createMany: (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { displays: { createMany: { data: [newDisplay()] } } } }),
  connect: (client, { other, display: { id } }) =>
    client.camera.update({ where: { id: other.id }, data: { displays: { connect: { id } } } }),
  connectOrCreate: (client, { other, display: { id } }) =>
    client.camera.update({
      where: { id: other.id },
      data: { displays: { connectOrCreate: { where: { id }, create: newDisplay() } } },
    }),
  disconnect: (client, { camera, display: { id } }) =>
    client.camera.update({ where: { id: camera.id }, data: { displays: { disconnect: { id } } } }),
  set: (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { displays: { set: [] } } }),
  update: (client, { display: { id } }) =>
    client.display.update({ where: { id }, data: { camera: { update: { rtspUrl } } } }),
  updateMany: (client, { camera: { id } }) =>
    client.camera.update({
      where: { id },
      data: { displays: { updateMany: { where: {}, data: { playlistId: null } } } },
    }),
  upsert: (client, { display: { id } }) =>
    client.display.update({
      where: { id },
      data: { camera: { upsert: { create: newCamera(), update: { rtspUrl } } } },
    }),
  delete: (client, { display: { id } }) =>
    client.display.update({ where: { id }, data: { camera: { delete: true } } }),
  deleteMany: (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { displays: { deleteMany: {} } } }),
};

/** Results that are no rows of the model that was written. */
const SHAPES: Readonly<Record<string, Write>> = {
  'update with a relation as its result': (client, { playlist: { id }, models: [, { id: modelId }] }) =>
    client.playlist.update({ where: { id }, data: { modelId } }).model(),
  'update with a list of relations as its result': (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { rtspUrl } }).displays(),
  'update that selects other fields': (client, { playlist: { id }, models: [, { id: modelId }] }) =>
    client.playlist.update({ where: { id }, data: { modelId }, select: { name: true, modelId: true } }),
  'update that omits the key': (client, { camera: { id } }) =>
    client.camera.update({ where: { id }, data: { rtspUrl }, omit: { cameraIdentifier: true } }),
};

const writesOf = (table: Readonly<Record<string, unknown>>) =>
  Object.entries(table).filter((entry): entry is [string, Write] => typeof entry[1] === 'function');
const WRITES: readonly (readonly [string, Write])[] = [
  ...writesOf(MODEL_OPERATIONS),
  ...writesOf(CLIENT_METHODS),
  ...writesOf(NESTED_OPERATIONS).map(([name, write]) => [`nested ${name}`, write] as const),
  ...writesOf(SHAPES),
];

class RollBack extends Error {}
const rolledBack = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('was not rolled back');
    },
    () => undefined,
  );

/** Where a write can stand, and whether it is committed. */
const PLACES: readonly (readonly [
  string,
  boolean,
  (client: Client, rows: Rows, write: Write) => Promise<unknown>,
])[] = [
  ['alone', true, async (client, rows, write) => write(client, rows)],
  [
    'in an array',
    true,
    (client, rows, write) => client.$transaction([client.camera.count(), write(client, rows) as never]),
  ],
  [
    'in an array that is rolled back',
    false,
    (client, rows, write) =>
      rolledBack(client.$transaction([write(client, rows) as never, client.$executeRaw`select 1 / 0`])),
  ],
  [
    'in an interactive transaction',
    true,
    (client, rows, write) => client.$transaction(async (tx) => write(tx as Client, rows)),
  ],
  [
    'in an interactive transaction that is rolled back',
    false,
    (client, rows, write) =>
      rolledBack(
        client.$transaction(async (tx) => {
          await write(tx as Client, rows);
          throw new RollBack();
        }),
      ),
  ],
  [
    'in a nested transaction',
    true,
    (client, rows, write) =>
      client.$transaction(async (tx) =>
        (tx as Client).$transaction(async (inner) => write(inner as Client, rows)),
      ),
  ],
  [
    'in a nested transaction that is rolled back',
    false,
    (client, rows, write) =>
      client.$transaction(async (tx) => {
        await rolledBack(
          (tx as Client).$transaction(async (inner) => {
            await write(inner as Client, rows);
            throw new RollBack();
          }),
        );
        await tx.camera.count();
      }),
  ],
  [
    'through a method of another extension',
    true,
    (client, rows, write) => {
      const extended = client.$extends({
        client: { run: () => write(extended as unknown as Client, rows) },
        query: { $allOperations: ({ args, query }) => query(args) },
      });
      return Promise.resolve(extended.run());
    },
  ],
];

describe('every way to write', () => {
  let database: TriggersDatabase;
  let prisma: Client;
  /** Announcements, with the state of the database that another connection saw at that moment. */
  let announced: { readonly change: SubscriptionChange; readonly seen: string }[];
  let publishing: number;

  beforeAll(async () => {
    database = await openTriggersDatabase();
    // Without a generator that has this feature, no SQL of a file is typed, but the method is the same.
    const { _previewFeatures: features } = database.plain as unknown as { _previewFeatures: string[] };
    features.push('typedSql');
    // A slow COMMIT: an announcement before it would be seen with the state from before it.
    await database.observer.query(`
      create function slow_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return null; end $$;
      create constraint trigger slow after insert or update or delete on "Camera" deferrable initially deferred for each row execute function slow_commit();
      create constraint trigger slow after insert or update or delete on "Display" deferrable initially deferred for each row execute function slow_commit();
      create constraint trigger slow after insert or update or delete on "Playlist" deferrable initially deferred for each row execute function slow_commit();
      set session_replication_role = replica;
      insert into "Playlist" (name, "updatedAt") select 'p' || n, now() from generate_series(1, 100) n`);
    prisma = database.plain.$extends(
      subscriptionTriggers({
        publish: async (change) => {
          publishing++;
          announced.push({ change, seen: await state() });
        },
      }),
    ) as unknown as Client;
  });
  afterAll(() => database.close());
  beforeEach(() => {
    announced = [];
    publishing = 0;
  });

  const state = async () => JSON.stringify(await displays());
  const displays = () =>
    database.plain.display.findMany({
      orderBy: { id: 'asc' },
      select: {
        displayId: true,
        camera: { select: { cameraIdentifier: true, rtspUrl: true } },
        playlist: { select: { id: true, model: { select: { id: true } } } },
      },
    });

  /** Replaces all displays and cameras, on a connection that does not run the trigger. */
  const newRows = async (): Promise<Rows> => {
    await database.observer.query('delete from "Display"; delete from "Camera"');
    const { rows } = await database.observer.query<{ rows: Rows }>(
      `with m as (insert into "Model" (name, "fileKey", "updatedAt") values ($1, 'k', now()), ($2, 'k', now()) returning id),
        p as (insert into "Playlist" (name, "modelId", "updatedAt") select $3, min(id), now() from m returning id),
        c as (insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ($4::text, 'rtsp://h/1', now()), ($5::text, 'rtsp://h/1', now()) returning id, "cameraIdentifier"),
        d as (insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt") select names.id, $4::text, p.id, now() from p, (values ($6::text), ($7::text)) as names (id) returning id, "displayId")
      select json_build_object('camera', (select to_json(c) from c order by id limit 1), 'other', (select to_json(c) from c order by id desc limit 1),
        'display', (select to_json(d) from d order by id limit 1), 'playlist', (select to_json(p) from p), 'models', (select json_agg(m order by id) from m)) as rows`,
      [unique('m'), unique('m'), unique('p'), ...['cam', 'cam', 'd', 'd'].map(unique)],
    );
    return rows[0]!.rows;
  };

  it('is in the tables: operations of models', () => {
    const operations = Object.keys(database.plain.camera).filter(
      (name) => !['fields', 'name', '$name', '$parent'].includes(name),
    );
    expect(operations.toSorted()).toEqual(Object.keys(MODEL_OPERATIONS).toSorted());
    const reads = Object.keys(MODEL_OPERATIONS).filter((name) => MODEL_OPERATIONS[name] === 'reads');
    expect([...READS].toSorted()).toEqual(reads.toSorted());
  });

  it('is in the tables: methods of the client', () => {
    const names = new Set<string>(['$extends']);
    for (
      let level: object = database.plain;
      level !== Object.prototype;
      level = Object.getPrototypeOf(level) as object
    )
      for (const name of Object.getOwnPropertyNames(level)) if (name.startsWith('$')) names.add(name);
    expect([...names].toSorted()).toEqual(Object.keys(CLIENT_METHODS).toSorted());
  });

  it('is in the tables: operations of relations', () => {
    const found = new Set<string>();
    for (const model of Object.keys(Prisma.ModelName)) {
      const file = new URL(
        `../../../../../apps/cms-backend/src/generated/prisma/models/${model}.ts`,
        import.meta.url,
      );
      const inputs = readFileSync(file, 'utf8').matchAll(/export type \w+NestedInput = \{([^}]*)\}/g);
      for (const [, body] of inputs)
        for (const [, name] of body!.matchAll(/^ {2}(\w+)\?:/gm)) found.add(name!);
    }
    expect([...found].toSorted()).toEqual(Object.keys(NESTED_OPERATIONS).toSorted());
    expect(NESTED_WRITES.toSorted()).toEqual([...found].toSorted());
  });

  describe.each(WRITES)('%s', (_name, write) => {
    it.each(PLACES)('%s', async (_place, commits, run) => {
      const rows = await newRows();
      const before = await displays();
      await run(prisma, rows, write);
      if (!commits) {
        await allPublished();
        expect(publishing).toBe(0);
        expect(await displays()).toEqual(before);
        return;
      }
      await until(() => announced.length > 0);
      const after = await displays();
      expect(announced.map(({ seen }) => seen)).toEqual([JSON.stringify(after)]);
      expect(publishing).toBe(1);
      expect(await unannounced(before, after, announced[0]!.change.rows)).toEqual([]);
    });
  });

  /** The changed displays that the announced rows do not name. */
  const unannounced = async (
    before: Awaited<ReturnType<typeof displays>>,
    after: typeof before,
    rows: ChangedRows | null,
  ): Promise<string[]> => {
    const texts = (list: typeof before) => new Map(list.map((row) => [row.displayId, JSON.stringify(row)]));
    const [old, now] = [texts(before), texts(after)];
    const changed = [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id));
    expect(changed).not.toEqual([]);
    if (rows === null) return [];
    const { displays: named = [], cameras = [], playlists = [], models = [] } = rows;
    const current = new Map(after.map((row) => [row.displayId, row]));
    return changed.filter((id) => {
      const { camera, playlist } = current.get(id) ?? {};
      return !(
        named.includes(id) ||
        cameras.includes(camera?.cameraIdentifier ?? '') ||
        playlists.includes(playlist?.id ?? '') ||
        models.includes(playlist?.model?.id ?? '')
      );
    });
  };
});
