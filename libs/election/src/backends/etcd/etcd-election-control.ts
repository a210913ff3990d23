import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { readLeaderRecord } from './etcd-memory.js';
import { EtcdConnection, type EtcdSource } from './etcd-connection.js';
import { etcdElectionKeys } from './etcd-election-keys.js';

/** Longest time of a call. Milliseconds. */
const TIMEOUT = 3_000;

/** A request that no leader has read expires after this time. Seconds. */
const REQUEST_TTL = 60;

/** An election on etcd as seen from outside, see {@link ElectionControl}. */
export class EtcdElectionControl implements ElectionControl {
  private readonly connection: EtcdConnection;
  private readonly leaderKey: string;
  private readonly requestKey: string;

  constructor({ etcd, lockName }: { readonly etcd: EtcdSource; readonly lockName: string }) {
    this.connection = new EtcdConnection(etcd, TIMEOUT);
    const keys = etcdElectionKeys(lockName);
    this.leaderKey = keys.leader;
    this.requestKey = keys.resignRequest;
  }

  async leader(): Promise<LeaderView | null> {
    const record = readLeaderRecord((await this.get(this.leaderKey)) ?? '');
    return record && record.id !== null ? { leaderId: record.id, term: record.term } : null;
  }

  async requestResign(term: number): Promise<void> {
    const { ID } = await this.connection.call('/etcdserverpb.Lease/LeaseGrant', { TTL: REQUEST_TTL });
    const [key, value] = [Buffer.from(this.requestKey), Buffer.from(String(term))];
    await this.connection.call('/etcdserverpb.KV/Put', { key, value, lease: ID });
  }

  async isResignRequested(term: number): Promise<boolean> {
    return (await this.get(this.requestKey)) === String(term);
  }

  close(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }

  private async get(key: string): Promise<string | undefined> {
    const { kvs } = await this.connection.call('/etcdserverpb.KV/Range', { key: Buffer.from(key) });
    return kvs[0]?.value.toString();
  }
}
