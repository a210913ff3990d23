import type { LeaseClaim, LeaseStore, LeaseView } from '../../lease/lease-store.js';
import type { PostgresSession, Row } from './postgres-session.js';
import { acquireLeaseSql, nominateSql, releaseLeaseSql, renewLeaseSql } from './postgres-sql.js';

const VACANT: LeaseView = { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };

/** The lease as columns of a row; one statement for each call. */
export class PostgresLease implements LeaseStore {
  private readonly statements: Readonly<Record<'acquire' | 'renew' | 'release' | 'nominate', string>>;

  constructor(
    private readonly session: PostgresSession,
    table: string,
    private readonly name: string,
    private readonly channel: string,
  ) {
    this.statements = {
      acquire: acquireLeaseSql(table),
      renew: renewLeaseSql(table),
      release: releaseLeaseSql(table),
      nominate: nominateSql(table),
    };
  }

  async acquire({ owner, candidateId, ttl, floor }: LeaseClaim & { floor: number }): Promise<LeaseView> {
    const values = [this.name, owner, candidateId, ttl, floor, this.channel];
    return viewOf(await this.session.query(this.statements.acquire, values));
  }

  async renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    return viewOf(await this.session.query(this.statements.renew, [this.name, owner, ttl]));
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    await this.session.query(this.statements.release, [this.name, owner, ttl, this.channel]);
  }

  async nominate(candidateId: string, ttl: number): Promise<void> {
    await this.session.query(this.statements.nominate, [this.name, candidateId, ttl, this.channel]);
  }
}

function viewOf([row]: Row[]): LeaseView {
  if (!row) return VACANT;
  const remaining = Number(row.remaining);
  const held = remaining > 0;
  return {
    owner: held ? (row.owner as string | null) : null,
    leaderId: held ? (row.leader as string | null) : null,
    term: Number(row.term),
    remaining,
    successor: row.successor as string | null,
  };
}
