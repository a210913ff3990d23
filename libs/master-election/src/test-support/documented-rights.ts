/** Commands that the module needs on any server, as documented. */
const COMMANDS =
  '+info +ping +client|setname +eval +evalsha +time +publish +subscribe +pubsub|numsub +get +set +del +pexpire +pttl +type +rename ' +
  '+hget +hmget +hgetall +hset +hincrby +hdel +zrangebyscore +zrem';

/** Redis 7 needs an index of expiry times, because it cannot expire single fields. From 7.2 on clients send their name and version. */
const MORE = { '7': '+zadd', '8': '+hsetex +client|setinfo' };

/** Commands as rules of `ACL SETUSER`. */
export function documentedCommands(generation: '7' | '8'): string[] {
  return `${COMMANDS} ${MORE[generation]}`.split(' ');
}

/** On a cluster, a channel belongs to a slot, and clients ask the nodes which node serves it. */
export function documentedClusterCommands(generation: '7' | '8'): string[] {
  const sharded: Record<string, string> = { '+pubsub|numsub': '+pubsub|shardnumsub' };
  return [
    ...documentedCommands(generation).map((command) => sharded[command] ?? command),
    '+ssubscribe',
    '+cluster|slots',
  ];
}
