import { DetectorCluster, type ModelVersions } from '@detector-cluster/detector-cluster';
import { Body, Controller, Get, Param, Put, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { noteChange } from '../http/audit-trail.js';
import { idParam, instantField } from '../http/fields.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import { RedisGuard } from '../stores/redis.guard.js';

const modelVersionsSchema = z
  .object({
    modelId: z.int(),
    modelName: z.string(),
    current: z.string().meta({ description: 'What all cameras run that do not run the candidate' }),
    former: z.string().nullable().meta({ description: 'The version before; null: none is known' }),
    candidate: z
      .string()
      .nullable()
      .meta({ description: 'What the store gives, if not the current version' }),
    share: z.number().meta({ description: 'Percent of the cameras that run the candidate; 0: rolled back' }),
    since: instantField,
    quietSince: instantField.nullable().meta({
      description: 'Since when the candidate runs without a failure; null: it does not',
    }),
  })
  .meta({ id: 'ModelVersions', description: "The versions of a model's file" });

const modelVersionListSchema = z
  .object({ items: z.array(modelVersionsSchema) })
  .meta({ id: 'ModelVersionList' });

const setVersionSchema = z
  .strictObject({ version: z.string('must be a string').min(1, 'must not be empty').max(128, 'is too long') })
  .meta({
    id: 'UpdateModelVersion',
    description: 'The current, the former or the candidate version of the model',
  });

const versionSetSchema = z
  .object({
    accepted: z.literal(true),
    changed: z.boolean().meta({ description: 'False when all cameras were to run this version already' }),
  })
  .meta({ id: 'ModelVersionSet' });

/** Which versions of models run, and the way forward and back. */
@Controller('api/cluster/models')
@UseGuards(RedisGuard)
export class ModelVersionsController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  @Operation({ summary: 'List the versions of the models that cameras run', answer: modelVersionListSchema })
  async list(): Promise<{ items: ModelVersions[] }> {
    return { items: await this.cluster.getModels() };
  }

  @Put(':modelId/version')
  @Operation({
    summary: 'Run one version of a model on all its cameras: confirms a canary, or goes back',
    problems: [404],
    answer: versionSetSchema,
  })
  async set(
    @Param('modelId', { schema: idParam }) modelId: number,
    @Body({ schema: setVersionSchema }) { version }: z.infer<typeof setVersionSchema>,
  ): Promise<z.infer<typeof versionSetSchema>> {
    const models = await this.cluster.getModels();
    const before = models.find((model) => model.modelId === modelId);
    if (before === undefined) throw problems.notFound(`no camera runs a model ${modelId}`);
    const changed = await this.cluster.setModelVersion(modelId, version);
    noteChange(before, { version, changed });
    return { accepted: true, changed };
  }
}
