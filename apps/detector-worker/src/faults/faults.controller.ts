import {
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  NotFoundException,
  type OnModuleDestroy,
  Put,
  StandardSchemaValidationPipe,
} from '@nestjs/common';
import { ConnectionRegistry, type MasterConnection } from '../connections/connection-registry.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../options/worker-options.js';
import { FaultPlan, type Faults, faultsSchema } from './fault-plan.js';

const INTERNAL_ERROR = 1011;

/** Closes sockets some time after they were opened, as a crashing worker would. */
@Injectable()
export class CloseFaultService implements OnModuleDestroy {
  readonly #timers = new Map<MasterConnection, NodeJS.Timeout>();

  constructor(
    private readonly plan: FaultPlan,
    private readonly connections: ConnectionRegistry,
  ) {
    plan.onReplaced(() => {
      for (const connection of this.connections.all()) this.arm(connection);
    });
  }

  arm(connection: MasterConnection): void {
    this.disarm(connection);
    const { closeAfterMs } = this.plan.current;
    if (closeAfterMs === null) return;
    this.#timers.set(
      connection,
      setTimeout(() => connection.close(INTERNAL_ERROR, 'fault'), closeAfterMs),
    );
  }

  disarm(connection: MasterConnection): void {
    clearTimeout(this.#timers.get(connection));
    this.#timers.delete(connection);
  }

  onModuleDestroy(): void {
    for (const connection of this.#timers.keys()) this.disarm(connection);
  }
}

/** Faults at run time. Answers 404 unless the worker was started with `CONTROL=on`. */
@Controller('faults')
export class FaultsController {
  constructor(
    private readonly plan: FaultPlan,
    @Inject(WORKER_OPTIONS) private readonly options: WorkerOptions,
  ) {}

  @Get()
  read(): Faults {
    this.assertEnabled();
    return this.plan.current;
  }

  /** Replaces all faults; `{}` ends them. */
  @Put()
  replace(
    @Body({ schema: faultsSchema, pipes: [new StandardSchemaValidationPipe()] }) faults: Faults,
  ): Faults {
    this.assertEnabled();
    this.plan.replace(faults);
    return this.plan.current;
  }

  private assertEnabled(): void {
    if (this.options.control === 'off') throw new NotFoundException('started without CONTROL=on');
  }
}
