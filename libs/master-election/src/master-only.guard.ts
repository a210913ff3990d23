import {
  Injectable,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { InvalidLeaderWorkError } from './leader-work/leader-work.errors.js';
import type { MasterElection } from './election/master-election.js';
import { findElection, noElection } from './election/get-master-election-token.js';
import { NotMasterException, notMasterProblem } from './shared/not-master.exception.js';
import type { LeaderWorkOptions } from './leader-work/leader-work.js';

/** Value of `Retry-After`: most failovers take less. Seconds. */
const RETRY_AFTER = '1';

/**
 * A guard that rejects calls unless the lease of this process is valid at that moment.
 *
 * @param label the guarded class or method, for messages.
 */
function masterOnlyGuard(electionName: string | undefined, label: string): Type<CanActivate> {
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

    async canActivate(context: ExecutionContext): Promise<boolean> {
      // Nest does not call onModuleInit in modules that are loaded lazily.
      if (!this.election) this.onModuleInit();
      const election = this.election!;
      if (election.lease?.isValid()) return true;
      if (context.getType() === 'http') {
        const response: unknown = context.switchToHttp().getResponse();
        this.adapterHost.httpAdapter.setHeader(response, 'Retry-After', RETRY_AFTER);
        this.adapterHost.httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json');
      }
      throw await refusal(context.getType(), election);
    }
  }
  return mixin(MasterOnlyGuard);
}

/** The exception that the filters of a context pass on to the caller. */
async function refusal(context: string, { name, masterId }: MasterElection): Promise<Error> {
  // An application has a context only if it has installed the package, so the import succeeds.
  if (context === 'rpc') {
    const { RpcException } = await import('@nestjs/microservices');
    return new RpcException(notMasterProblem(name, masterId));
  }
  if (context === 'ws') {
    const { WsException } = await import('@nestjs/websockets');
    return new WsException(notMasterProblem(name, masterId));
  }
  return new NotMasterException(name, masterId);
}

/**
 * Guards a controller, a gateway or one of their methods. If this process may not act as master at the moment of the call, the guard
 * throws an exception with problem details and `masterId`. HTTP: a `NotMasterException`, status 503 with `Retry-After`.
 * Microservices: an `RpcException`. Gateways: a `WsException`. Elsewhere: a `NotMasterException`.
 */
export function MasterOnly({ election }: LeaderWorkOptions = {}): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => {
    const label = name === undefined ? nameOf(target) : `${nameOf(target.constructor)}.${String(name)}`;
    UseGuards(masterOnlyGuard(election, label))(target as never, name as never, descriptor as never);
  };
}

const nameOf = (target: object): string => (target as { name: string }).name;
