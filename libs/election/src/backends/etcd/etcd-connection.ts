import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { toError } from '../../util/to-error.js';
import type { EtcdCalls, EtcdHeader, Int64 } from './etcd-api.js';
import { EtcdError, type EtcdErrorCode, toEtcdError } from './etcd.error.js';
import { EtcdMember } from './etcd-member.js';
import { certificateProblem, type EtcdTlsSource } from './etcd-tls.js';
import { EtcdWatch, type WatchedRange } from './etcd-watch.js';

/** Where an etcd is, and who asks. */
export interface EtcdSource {
  /** URLs of the members for clients, `http://` or `https://`; one is used at a time, the next when it fails. */
  readonly endpoints: string | readonly string[];
  readonly tls?: EtcdTlsSource;
  /** Credentials for servers with authentication by password. Without them, the name in the client's certificate counts. */
  readonly username?: string;
  readonly password?: string;
}

export interface LeaseRenewal {
  readonly header: EtcdHeader;
  /** How long the lease lasts from now on; 0 if no lease with that id exists. Milliseconds. */
  readonly ttl: number;
}

type Work<Result> = (member: EtcdMember, metadata: Metadata) => Promise<Result>;

/** What another member may do better. */
const ELSEWHERE: readonly EtcdErrorCode[] = ['UNREACHABLE', 'TIMEOUT', 'NO_LEADER', 'CERTIFICATE'];

/**
 * A client of an etcd cluster that uses one member at a time. All calls have a deadline; a call that fails is not repeated, but
 * the next one goes to the next member.
 */
export class EtcdConnection {
  private readonly endpoints: readonly string[];
  private index: number;
  private opened: Promise<EtcdMember> | undefined;
  private token: string | undefined;
  /** Calls in a row that got no answer. */
  private unanswered = 0;
  private closed = false;

  constructor(
    private readonly source: EtcdSource,
    private readonly commandTimeout: number,
    random: () => number = Math.random,
  ) {
    this.endpoints = [source.endpoints].flat();
    // Clients spread over the members.
    this.index = Math.floor(random() * this.endpoints.length);
  }

  call<Path extends keyof EtcdCalls>(
    path: Path,
    request: EtcdCalls[Path]['request'],
    timeout = this.commandTimeout,
  ): Promise<EtcdCalls[Path]['response']> {
    return this.use((member, metadata) => member.call(path, request, metadata, timeout));
  }

  /** Renews a lease, once. */
  keepAlive(lease: Int64): Promise<LeaseRenewal> {
    return this.use(async (member, metadata) => {
      const stream = member.stream('/etcdserverpb.Lease/LeaseKeepAlive', metadata, this.commandTimeout);
      try {
        return await new Promise((resolve, reject) => {
          stream.on('error', reject);
          stream.on('end', () =>
            reject(new EtcdError('UNREACHABLE', 'the connection broke', member.endpoint)),
          );
          stream.on('data', (response: { header: EtcdHeader; TTL: Int64 }) =>
            resolve({ header: response.header, ttl: Number(response.TTL) * 1_000 }),
          );
          stream.write({ ID: lease });
        });
      } finally {
        stream.cancel();
      }
    });
  }

  /** Reports what happens to keys from a revision on, over the member in use. */
  watch(ranges: readonly WatchedRange[], revision: number): Promise<EtcdWatch> {
    return this.use((member, metadata) => {
      // A member that is cut off from the others says so, instead of silence.
      metadata.set('hasleader', 'true');
      const stream = member.stream('/etcdserverpb.Watch/Watch', metadata);
      return Promise.resolve(new EtcdWatch(stream, ranges, revision, member.endpoint));
    });
  }

  /**
   * Two answers, one after the other, must come from one member and one term of the cluster's own leader.
   * @throws EtcdError
   */
  checkReign(first: EtcdHeader, second: EtcdHeader): void {
    const endpoint = this.endpoints[this.index]!;
    if (Number(second.raft_term) === 0)
      throw new EtcdError(
        'REFUSED',
        'its answers lack a raft term, as those of a proxy do; name the members',
        endpoint,
      );
    if (first.raft_term !== second.raft_term || first.member_id !== second.member_id)
      throw new EtcdError(
        'NO_LEADER',
        'the cluster elected a leader of its own while the lease was renewed',
        endpoint,
      );
  }

  /** The next call goes to another member, where there is one. */
  leaveMember(): void {
    const { opened } = this;
    this.opened = undefined;
    this.index = (this.index + 1) % this.endpoints.length;
    opened?.then(
      (member) => member.close(),
      () => undefined,
    );
  }

  close(): void {
    this.closed = true;
    this.leaveMember();
  }

  private async use<Result>(work: Work<Result>): Promise<Result> {
    const opened = (this.opened ??= this.open());
    try {
      const result = await this.authenticated(await opened, work);
      this.unanswered = 0;
      return result;
    } catch (error) {
      const failure = await this.explain(opened, error);
      if (this.opened === opened && this.isToLeave(failure.code)) this.leaveMember();
      throw failure;
    }
  }

  /** The only member may be slow: a connection that still carries something is not given up for one late answer. */
  private isToLeave(code: EtcdErrorCode): boolean {
    this.unanswered = code === 'TIMEOUT' ? this.unanswered + 1 : 0;
    if (this.endpoints.length === 1 && this.unanswered === 1) return false;
    return ELSEWHERE.includes(code);
  }

  private async authenticated<Result>(member: EtcdMember, work: Work<Result>): Promise<Result> {
    try {
      return await work(member, await this.metadata(member));
    } catch (error) {
      if (!this.token || !isStaleToken(error)) throw error;
      this.token = undefined;
      return work(member, await this.metadata(member));
    }
  }

  private async open(): Promise<EtcdMember> {
    const endpoint = this.endpoints[this.index]!;
    if (this.closed) throw new EtcdError('UNREACHABLE', 'the connection was closed', endpoint);
    const { tls } = this.source;
    try {
      return new EtcdMember(endpoint, typeof tls === 'function' ? await tls() : tls);
    } catch (error) {
      throw new EtcdError(
        'CERTIFICATE',
        `its \`tls\` cannot be used: ${toError(error).message}`,
        endpoint,
        error,
      );
    }
  }

  private async metadata(member: EtcdMember): Promise<Metadata> {
    const metadata = new Metadata();
    const { username: name, password = '' } = this.source;
    if (name === undefined) return metadata;
    this.token ??= (
      await member.call(
        '/etcdserverpb.Auth/Authenticate',
        { name, password },
        new Metadata(),
        this.commandTimeout,
      )
    ).token;
    metadata.set('token', this.token);
    return metadata;
  }

  private async explain(opened: Promise<EtcdMember>, error: unknown): Promise<EtcdError> {
    const member = await opened.catch(() => undefined);
    if (!member) return error as EtcdError;
    const failure = toEtcdError(error, member.endpoint);
    if (failure.code !== 'UNREACHABLE' && failure.code !== 'CERTIFICATE') return failure;
    const problem = member.tls && certificateProblem(member.tls, Date.now());
    return problem ? new EtcdError('CERTIFICATE', problem, member.endpoint, error) : failure;
  }
}

/** A token that has expired, or that a restarted server no longer knows. */
function isStaleToken(error: unknown): boolean {
  const said = (error as Partial<ServiceError>).details ?? '';
  return /invalid auth token|revision of auth store is old|auth: auth token/.test(said);
}
