import { type ChainableCommander, Cluster } from 'ioredis';
import { definePlainCommands, pipelineOf } from './plain-commands.js';

/** A `Cluster` of ioredis that no global of the application changes. */
export class PlainCluster extends Cluster {
  override pipeline(): ChainableCommander {
    return pipelineOf(this);
  }
}

definePlainCommands(PlainCluster);
