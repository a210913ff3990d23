import {
  Body,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import type { Response } from 'express';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { mayOverwrite, readIfMatch } from '../http/etag.js';
import { type Page, type PageQuery, pageSchema } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  type PutQuery,
  type PutResult,
  putQuerySchema,
  putRequestSchema,
  putResultSchema,
  type Removal,
  removalSchema,
  type RemoveQuery,
  removeQuerySchema,
} from './entries.schema.js';
import { type EntryKind, valueOf } from './entry-kind.js';
import { EntryStore, type EntryView } from './entry-store.js';
import { ImpactForecast } from './impact-forecast.js';
import type { PutItem } from './put-entries.js';

/** The routes of a kind of entries. Its subclass has the path, and the name that the API description uses. */
export function entriesController(kind: EntryKind) {
  const { name, schemas, pathKey, pathSchema, users } = kind;
  const many = `${name}s`;
  const page = pageSchema(`${capitalized(name)}Page`, schemas.view);
  const putRequest = putRequestSchema(`Put${capitalized(many)}Request`, schemas.put);
  const inUse = users === null ? '' : `; 409 while ${users.kind}s use it`;

  class EntriesController {
    readonly store: EntryStore;

    constructor(
      @Inject(PRISMA) prisma: PrismaClient,
      @Inject(APP_CONFIG) config: AppConfig,
      @Inject(ImpactForecast) forecast: ImpactForecast,
    ) {
      this.store = new EntryStore(prisma, kind, forecast, kind.check?.(config) ?? (() => []));
    }

    @Get()
    @Operation({ summary: `List ${many}`, answer: page })
    list(@Query({ schema: schemas.query }) query: PageQuery): Promise<Page<EntryView>> {
      return this.store.list(query);
    }

    @Post()
    @Operation({ summary: `Add a ${name}`, answer: schemas.view })
    async create(
      @Body({ schema: schemas.create }) body: object,
      @Res({ passthrough: true }) response: Response,
    ): Promise<EntryView> {
      const entry = await this.store.add(body);
      response.location(`/api/${many}/${encodeURIComponent(String(valueOf(entry, pathKey)))}`);
      return entry;
    }

    @Put()
    @Operation({
      summary: `Add ${many}, and change those that exist: all or none`,
      conditional: true,
      problems: [428],
      answer: putResultSchema,
    })
    putAll(
      @Body({ schema: putRequest }) { items }: { items: PutItem[] },
      @Query({ schema: putQuerySchema }) { dryRun }: PutQuery,
      @Headers('if-match') ifMatch?: string,
    ): Promise<PutResult> {
      return this.store.put(items, { dryRun, overwrite: mayOverwrite(ifMatch) });
    }

    @Get(`:${pathKey}`)
    @Operation({ summary: `Read a ${name}`, problems: [404], answer: schemas.view })
    read(@Param(pathKey, { schema: pathSchema }) key: unknown): Promise<EntryView> {
      return this.store.read(key);
    }

    @Patch(`:${pathKey}`)
    @Operation({
      summary: `Change fields of a ${name}`,
      conditional: true,
      problems: [404],
      answer: schemas.view,
    })
    update(
      @Param(pathKey, { schema: pathSchema }) key: unknown,
      @Body({ schema: schemas.update }) body: object,
      @Headers('if-match') ifMatch?: string,
    ): Promise<EntryView> {
      return this.store.change(key, body, readIfMatch(ifMatch));
    }

    @Get(`:${pathKey}/removal`)
    @Operation({ summary: `What the removal of a ${name} would do`, problems: [404], answer: removalSchema })
    removal(@Param(pathKey, { schema: pathSchema }) key: unknown): Promise<Removal> {
      return this.store.previewRemoval(key);
    }

    @Delete(`:${pathKey}`)
    @HttpCode(204)
    @Operation({ summary: `Remove a ${name}${inUse}`, conditional: true, problems: [404] })
    remove(
      @Param(pathKey, { schema: pathSchema }) key: unknown,
      @Query({ schema: removeQuerySchema }) { detach }: RemoveQuery,
      @Headers('if-match') ifMatch?: string,
    ): Promise<void> {
      return this.store.remove(key, { precondition: readIfMatch(ifMatch), detach });
    }
  }
  return EntriesController;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
