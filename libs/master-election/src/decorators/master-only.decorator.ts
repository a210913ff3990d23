import { UseGuards } from '@nestjs/common';
import { masterOnlyGuard } from '../master-only/master-only.guard.js';
import type { LeaderWorkOptions } from './leader-work-options.js';

/**
 * Guards a controller or one of its methods: on a process that may not act as master at the moment of the call, the answer
 * is 503 with problem details, `Retry-After` and who the master is. Outside of HTTP a `NotMasterException` is thrown.
 */
export function MasterOnly({ election }: LeaderWorkOptions = {}): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => {
    const label = name === undefined ? nameOf(target) : `${nameOf(target.constructor)}.${String(name)}`;
    UseGuards(masterOnlyGuard(election, label))(target as never, name as never, descriptor as never);
  };
}

const nameOf = (target: object): string => (target as { name: string }).name;
