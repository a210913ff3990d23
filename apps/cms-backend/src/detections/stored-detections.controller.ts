import { Controller, Get, Inject, Param, Query, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient, StoredDetection } from '../generated/prisma/client.js';
import {
  cameraQuery,
  identifierParam,
  instantField,
  instantQuery,
  PICTURE_OF,
  textField,
} from '../http/fields.js';
import { type Page, pageArguments, pageFields, pageSchema, toPage } from '../http/pagination.js';
import { problems } from '../http/problems.js';
import { Operation } from '../openapi/operation.decorator.js';
import { labelKey } from './detection-row.js';
import { StoredDetections } from './stored-detections.js';

/** The database gets detections in about the order in which they reach the processes. */
const ORDERS = ['receivedAt', '-receivedAt'] as const;

export const storedQuerySchema = z.strictObject({
  ...pageFields,
  sort: z
    .enum(ORDERS, `must be one of ${ORDERS.join(', ')}`)
    .default('-receivedAt')
    .meta({ description: '`receivedAt`: oldest first. `-receivedAt`: newest first' }),
  camera: cameraQuery,
  label: textField(128)
    .refine((text) => labelKey(text) !== '', 'must have a letter or a digit')
    .optional()
    .meta({
      description: 'Part of a plate or label. Only letters and digits count, in upper or lower case',
    }),
  from: instantQuery.optional().meta({ description: 'Detected at or after this time' }),
  to: instantQuery.optional().meta({ description: 'Detected before this time' }),
});

type StoredQuery = z.infer<typeof storedQuerySchema>;

const share = z.number().min(0).max(1);

export const storedDetectionSchema = z
  .object({
    detectionId: z.string(),
    subscriptionIdentifier: z.string(),
    workerUrl: z.string(),
    processId: z.string().meta({ description: 'The process whose callback it reached' }),
    detectedAt: instantField.meta({ description: 'When the worker made the detection' }),
    receivedAt: instantField.meta({ description: 'When it reached that process' }),
    redelivered: z.boolean().meta({ description: 'Whether it may have been processed before' }),
    label: z.string().nullable().meta({ description: 'Plate or label' }),
    confidence: z.number().nullable(),
    boxes: z.array(z.array(share)).meta({
      description: 'Left, top, width and height as fractions of the picture',
    }),
    pictureId: z.string().nullable(),
    hasPicture: z.boolean().meta({ description: 'Whether the service keeps the picture of that moment' }),
    summary: z.string().meta({ description: 'What the worker reported, as JSON cut to 500 characters' }),
  })
  .meta({ id: 'StoredDetection' });

export type StoredDetectionView = z.infer<typeof storedDetectionSchema>;

const storedPageSchema = pageSchema('StoredDetectionPage', storedDetectionSchema);

/** Detections of all processes, in the order in which the database got them, or in the reverse order. */
export async function findStored(
  prisma: Pick<PrismaClient, 'storedDetection'>,
  { camera, label, from, to, limit, cursor, sort }: StoredQuery,
): Promise<Page<StoredDetectionView>> {
  const page = { limit, cursor, sort: sort === 'receivedAt' ? 'id' : '-id' };
  const where = {
    cameraIdentifier: camera,
    ...(label !== undefined && { labelKey: { contains: labelKey(label) } }),
    detectedAt: { gte: from, lt: to },
  };
  const rows = await prisma.storedDetection.findMany(pageArguments(page, where, Number.MAX_SAFE_INTEGER));
  return toPage(rows, page, toView);
}

function toView({
  id: _id,
  labelKey: _key,
  cameraIdentifier: _camera,
  pictureBytes,
  ...row
}: StoredDetection): StoredDetectionView {
  return {
    ...row,
    boxes: row.boxes as number[][],
    hasPicture: pictureBytes !== null,
    detectedAt: row.detectedAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
  };
}

/** The detections of the whole cluster that the database keeps. */
@Controller('api/detections')
export class StoredDetectionsController {
  constructor(
    private readonly stored: StoredDetections,
    @Inject(PRISMA) private readonly prisma: PrismaClient,
  ) {}

  @Get()
  @Operation({
    summary: 'Search the detections of the last hours; 404 unless DETECTION_HISTORY is on',
    problems: [404],
    answer: storedPageSchema,
  })
  async list(@Query({ schema: storedQuerySchema }) query: StoredQuery): Promise<Page<StoredDetectionView>> {
    this.stored.requireHistory();
    return findStored(this.prisma, query);
  }

  @Get(':detectionId/picture')
  @Operation({
    summary: 'The picture of a stored detection; 404 if none is kept',
    produces: 'image/jpeg',
    problems: [404],
  })
  async picture(
    @Param('detectionId', { schema: identifierParam }) detectionId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const picture = (await this.stored.pictures?.read(detectionId)) ?? null;
    if (picture === null) throw problems.notFound('no picture of this detection is kept');
    response.setHeader(PICTURE_OF, 'detection');
    return new StreamableFile(picture, { type: 'image/jpeg' });
  }
}
