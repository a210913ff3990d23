import { type ChainableCommander, Redis } from 'ioredis';
import { definePlainCommands, pipelineOf } from './plain-commands.js';

/** A `Redis` of ioredis that no global of the application changes. */
export class PlainRedis extends Redis {
  override pipeline(): ChainableCommander {
    return pipelineOf(this);
  }
}

definePlainCommands(PlainRedis);
