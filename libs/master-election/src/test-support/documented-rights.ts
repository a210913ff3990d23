/** What the module asks of any server, as the documentation says it. */
const COMMANDS =
  '+info +ping +client|setname +eval +evalsha +time +publish +subscribe +pubsub|numsub +get +set +del +pexpire +pttl ' +
  '+hget +hmget +hgetall +hset +hincrby +hdel +zrangebyscore +zrem';

/** An index of expiry times is kept only where a server cannot expire single fields; from 7.2 on clients say who they are. */
const MORE = { '7': '+zadd', '8': '+hsetex +client|setinfo' };

/** Commands as rules of `ACL SETUSER`. */
export function documentedCommands(generation: '7' | '8'): string[] {
  return `${COMMANDS} ${MORE[generation]}`.split(' ');
}

/** On a cluster, listeners belong to a slot, and the nodes are asked who serves it. */
export function documentedClusterCommands(generation: '7' | '8'): string[] {
  const sharded: Record<string, string> = { '+pubsub|numsub': '+pubsub|shardnumsub' };
  return [
    ...documentedCommands(generation).map((command) => sharded[command] ?? command),
    '+ssubscribe',
    '+cluster|slots',
  ];
}
