import { UseGuards } from '@nestjs/common';
import { masterOnlyGuard } from '../master-only/master-only.guard.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

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
