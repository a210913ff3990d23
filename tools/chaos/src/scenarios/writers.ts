import { createPrismaClient } from '@detector-cluster/cms-backend';
import { SubscriptionTrigger, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import pg from 'pg';
import { describeCrop, type Crop } from './crops.js';

/** One write, or one transaction that is rolled back. `n` counts from 0. */
export type Write = (n: number) => Promise<unknown>;

/** Writes of one call of `throughSql`. Divides the number of displays: transactions lock them in the same order. */
export const SQL_WRITES = 10;

/** Both ways in which a write triggers the master: the Prisma extension, and raw SQL that only the change feed sees. */
export class Writers {
  private readonly pool: pg.Pool;
  private readonly trigger: SubscriptionTrigger;
  private readonly prisma;

  /** @param concurrency connections at most */
  constructor(
    databaseUrl: string,
    redis: string,
    keyPrefix: string,
    private readonly displays: number,
    concurrency: number,
  ) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency });
    this.pool.on('error', () => undefined);
    this.trigger = new SubscriptionTrigger({ redis, keyPrefix });
    this.prisma = subscriptionTriggers({ trigger: this.trigger })(createPrismaClient({ pool: this.pool }));
  }

  throughPrisma: Write = (n) =>
    this.prisma.display.update({ where: { displayId: this.display(n) }, data: crop(n) });

  /** Several writes in one transaction, like an import. */
  throughSql: Write = (n) => {
    const updates = Array.from({ length: SQL_WRITES }, (_, i) => n * SQL_WRITES + i).map(
      (each) =>
        `update "Display" set "cropX1" = 0, "cropY1" = 0, "cropX2" = ${crop(each).cropX2}, "cropY2" = 100 ` +
        `where "displayId" = '${this.display(each)}'`,
    );
    return this.pool.query(['begin', ...updates, 'commit'].join(';'));
  };

  rolledBackByPrisma: Write = async (n) => {
    const undo = new Error('rolled back');
    await this.prisma
      .$transaction(async (tx) => {
        await tx.display.update({ where: { displayId: this.display(n) }, data: crop(n) });
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
  };

  rolledBackBySql: Write = async (n) => {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update "Display" set "cameraIdentifier" = 'camera-1' where "displayId" = $1`, [
        this.display(n),
      ]);
      await client.query('rollback');
    } finally {
      client.release();
    }
  };

  /** Gives every display a unique crop, in one statement. */
  changeAllBySql = (): Promise<unknown> =>
    this.pool.query('update "Display" set "cropX1" = 0, "cropY1" = 0, "cropX2" = 50, "cropY2" = 50');

  /** Adds a new display. */
  addDisplay(displayId: string, cameraIdentifier: string): Promise<unknown> {
    return this.prisma.display.create({ data: { displayId, cameraIdentifier, playlistId: 1 } });
  }

  /** Subscription → its crop according to the database. */
  async crops(): Promise<Map<string, string>> {
    const { rows } = await this.pool.query<Crop & { id: string }>(
      `select "displayId" || ';' || "cameraIdentifier" id, "cropX1", "cropY1", "cropX2", "cropY2" from "Display"`,
    );
    return new Map(rows.map(({ id, ...each }) => [id, describeCrop(each)]));
  }

  async close(): Promise<void> {
    await this.trigger.close();
    await this.prisma.$disconnect();
    await this.pool.end();
  }

  private display(n: number): string {
    return `display-${1 + (n % this.displays)}`;
  }
}

/** Always differs from the previous one. */
const crop = (n: number): Required<Crop> => ({
  cropX1: 0,
  cropY1: 0,
  cropX2: 100 + (n % 1_000),
  cropY2: 100,
});
