import {
  Body,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Put,
  StandardSchemaValidationPipe,
} from '@nestjs/common';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { FaultPlan, type Faults, faultsSchema } from './fault-plan.js';

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
    this.plan.current = faults;
    return this.plan.current;
  }

  private assertEnabled(): void {
    if (this.options.control === 'off') throw new NotFoundException('started without CONTROL=on');
  }
}
