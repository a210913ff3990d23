import {
  Injectable,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { InvalidLeaderWorkError } from '../leader-work/invalid-leader-work.error.js';
import type { MasterElection } from '../master-election.js';
import { findElection, noElection } from '../leader-work/find-election.js';
import { NotMasterException } from './not-master.exception.js';

/** A failover is over by then, as a rule. Seconds. */
const RETRY_AFTER = '1';

/**
 * A guard that lets nothing pass unless the lease of this process is valid at that moment.
 *
 * @param label what it guards, for messages.
 */
export function masterOnlyGuard(electionName: string | undefined, label: string): Type<CanActivate> {
  @Injectable()
  class MasterOnlyGuard implements CanActivate, OnModuleInit {
    private election: MasterElection | undefined;

    constructor(
      private readonly moduleRef: ModuleRef,
      private readonly adapterHost: HttpAdapterHost,
    ) {}

    onModuleInit(): void {
      this.election = findElection(this.moduleRef, electionName);
      if (!this.election)
        throw new InvalidLeaderWorkError([`@MasterOnly on ${label}: ${noElection(electionName)}`]);
    }

    canActivate(context: ExecutionContext): boolean {
      const election = this.election!;
      if (election.lease?.isValid()) return true;
      if (context.getType() === 'http') {
        const response: unknown = context.switchToHttp().getResponse();
        this.adapterHost.httpAdapter.setHeader(response, 'Retry-After', RETRY_AFTER);
        this.adapterHost.httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json');
      }
      throw new NotMasterException(election.name, election.masterId);
    }
  }
  return mixin(MasterOnlyGuard);
}
