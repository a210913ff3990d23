import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { database } from './config.js';

/** May rely on the table: a ready replica has waited for the migration. */
@Injectable()
export class PlateService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pool = new pg.Pool(database);

  async onApplicationBootstrap(): Promise<void> {
    const { rows } = await this.pool.query<{ count: string }>('SELECT count(*) FROM plate');
    console.log(`is ready, with ${rows[0]?.count} plates`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
