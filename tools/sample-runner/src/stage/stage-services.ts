import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  redisUrl,
  type ServiceUrl,
} from '@detector-cluster/dev-services';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

export interface StageServicesOptions {
  /** Prefix of all keys of the sample, e.g. `sample-001:`, and of its database's name. */
  readonly keyPrefix: string;
  readonly postgres: boolean;
  /** Called before a download. */
  readonly notify: (message: string) => void;
}

/**
 * Redis, and a separate database if the sample needs one: on the servers of REDIS_URL and DATABASE_URL, else on private
 * ones. They contain no data of the sample at the beginning, and none at the end.
 */
export class StageServices {
  readonly redis: Redis;
  /** Empty if the sample has no database. */
  databaseUrl = '';
  private readonly databaseName: string;

  private constructor(
    private readonly keyPrefix: string,
    private readonly servers: { redis: ServiceUrl; postgres: ServiceUrl | undefined },
  ) {
    this.databaseName = `${keyPrefix.replace(/\W/g, '_')}${randomBytes(4).toString('hex')}`;
    this.redis = new Redis(this.redisUrl);
    // The failing call reports the error.
    this.redis.on('error', () => undefined);
  }

  get redisUrl(): string {
    return this.servers.redis.url;
  }

  static async start({ keyPrefix, postgres, notify }: StageServicesOptions): Promise<StageServices> {
    const servers = {
      redis: await redisUrl(notify),
      postgres: postgres ? await databaseUrl() : undefined,
    };
    const services = new StageServices(keyPrefix, servers);
    try {
      await services.clear();
      await services.makeDatabase();
    } catch (error) {
      await services.stop();
      throw error;
    }
    return services;
  }

  async stop(): Promise<void> {
    const { redis, postgres } = this.servers;
    // If Redis is unavailable, there is nothing to clear.
    if (redis.origin === 'environment') await this.clear().catch(() => undefined);
    this.redis.disconnect();
    if (postgres?.origin === 'environment' && this.databaseUrl !== '')
      await dropDatabase(postgres.url, this.databaseName);
    await Promise.all([redis.stop(), postgres?.stop()]);
  }

  private async makeDatabase(): Promise<void> {
    const { postgres } = this.servers;
    if (postgres) this.databaseUrl = await createDatabase(postgres.url, this.databaseName);
  }

  private async clear(): Promise<void> {
    for await (const keys of this.redis.scanStream({ match: `${this.keyPrefix}*` }))
      if ((keys as string[]).length > 0) await this.redis.del(keys as string[]);
  }
}
