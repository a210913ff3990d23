import { Controller, Get, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import type { AuditEntry, PrismaClient } from '../generated/prisma/client.js';
import { Operation } from '../openapi/operation.decorator.js';
import { PRISMA } from '../stores/prisma-client.js';
import { instantField, instantQuery, textField } from './fields.js';
import {
  containing,
  type Page,
  pageArguments,
  pageFields,
  pageSchema,
  textFilter,
  toPage,
} from './pagination.js';

export const auditQuerySchema = z.strictObject({
  ...pageFields,
  action: textField(128).optional().meta({ description: 'An operationId, such as `workersDrain`' }),
  text: textFilter.meta({
    description: 'Only entries with this text in the name of the user or key, or in their target',
  }),
  from: instantQuery.optional().meta({ description: 'Recorded at or after this time' }),
  to: instantQuery.optional().meta({ description: 'Recorded before this time' }),
});

export const auditEntrySchema = z
  .object({
    entryId: z.string(),
    at: instantField,
    by: z.string().meta({ description: 'Name of the user or of the API key' }),
    address: z.string().meta({ description: 'From where' }),
    processId: z.string().meta({ description: 'The process that got the request' }),
    action: z.string().meta({ description: 'The operationId of the request' }),
    target: z.string().nullable().meta({ description: 'What the request names; null: nothing' }),
    status: z.int().meta({ description: 'HTTP status of the answer: from 400 on it was refused or failed' }),
    problem: z.string().nullable().meta({ description: 'Why; null: it was carried out' }),
    before: z
      .unknown()
      .meta({ description: 'What was there before, without secrets; null: nothing, or not known' }),
    after: z.unknown().meta({ description: 'What is there since then, without secrets; or the answer' }),
  })
  .meta({ id: 'AuditEntry' });

type AuditEntryView = z.infer<typeof auditEntrySchema>;

type AuditQuery = z.infer<typeof auditQuerySchema>;

/** Entries that match the query, newest first. */
export async function findActions(
  prisma: Pick<PrismaClient, 'auditEntry'>,
  { limit, cursor, action, text = '', from, to }: AuditQuery,
): Promise<Page<AuditEntryView>> {
  const page = { limit, cursor, sort: '-id' };
  const where = {
    action,
    ...(text !== '' && { OR: [{ by: containing(text) }, { target: containing(text) }] }),
    at: { gte: from, lt: to },
  };
  const rows = await prisma.auditEntry.findMany(pageArguments(page, where, Number.MAX_SAFE_INTEGER));
  return toPage(rows, page, toView);
}

/** The actions of operators. */
@Controller('api/audit')
export class AuditController {
  constructor(@Inject(PRISMA) private readonly prisma: PrismaClient) {}

  @Get()
  @Operation({
    summary: 'List what operators did, and tried to do, newest first',
    answer: pageSchema('AuditPage', auditEntrySchema),
  })
  list(@Query({ schema: auditQuerySchema }) query: AuditQuery): Promise<Page<AuditEntryView>> {
    return findActions(this.prisma, query);
  }
}

function toView({ id: _id, ...row }: AuditEntry): AuditEntryView {
  return { ...row, at: row.at.toISOString() };
}
