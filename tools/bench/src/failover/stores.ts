import { startEtcd, startRedis } from '@detector-cluster/dev-services';

/** A store that can be frozen. */
export interface Store {
  readonly url: string;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** One server of each kind. */
export interface Stores {
  readonly redis: Store;
  readonly etcd: Store;
  stop(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const started = await Promise.allSettled([startRedis(), startEtcd()]);
  const [redis, etcd] = started.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
  const stop = async () => {
    await Promise.all([redis?.stop(), etcd?.stop()]);
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (redis && etcd) return { redis, etcd, stop };
  await stop();
  throw failed!.reason;
}
