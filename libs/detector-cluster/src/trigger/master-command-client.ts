import { boundedCall, COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import { ClientRedis, type OutgoingEvent } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { QuietLogger } from './quiet-logger.js';

/**
 * The sending end of `worker:master:commands`: Nest's Redis transport on a connection that its caller owns. The
 * transport writes events as Nest does; it does not dial, configure or close anything, and it takes no answers.
 */
export class MasterCommandClient extends ClientRedis {
  protected override readonly logger = new QuietLogger();

  /** @param connection returns the connection to use now */
  constructor(private readonly connection: () => Redis) {
    super({});
  }

  override async connect(): Promise<void> {}

  override async close(): Promise<void> {}

  protected override dispatchEvent(packet: OutgoingEvent): Promise<unknown> {
    const redis = this.connection();
    return boundedCall(redis, COMMAND_TIMEOUT, () => {
      this.pubClient = redis;
      return super.dispatchEvent(packet);
    });
  }
}
