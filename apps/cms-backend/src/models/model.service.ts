import { Inject, Injectable } from '@nestjs/common';
import { orNotFound } from '../database/or-not-found.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { pageArguments, toPage, type Page, type PageQuery } from '../http/pagination.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CreateModel, ModelView, UpdateModel } from './model.schema.js';

/** The detection models in the database. */
@Injectable()
export class ModelService {
  constructor(@Inject(PRISMA) private readonly prisma: PrismaClient) {}

  async getModels(query: PageQuery): Promise<Page<ModelView>> {
    return toPage(await this.prisma.model.findMany(pageArguments(query)), query, withInstants);
  }

  async getModel(id: number): Promise<ModelView> {
    const found = this.prisma.model.findUnique({ where: { id } });
    return withInstants(await orNotFound(found, missing(id)));
  }

  async addModel(data: CreateModel): Promise<ModelView> {
    return withInstants(await this.prisma.model.create({ data }));
  }

  async updateModel(id: number, data: UpdateModel): Promise<ModelView> {
    const updated = this.prisma.model.update({ where: { id }, data });
    return withInstants(await orNotFound(updated, missing(id)));
  }

  /** Playlists that used it stay, without a model. */
  async removeModel(id: number): Promise<void> {
    await orNotFound(this.prisma.model.delete({ where: { id } }), missing(id));
  }
}

function missing(id: number): string {
  return `there is no model ${id}`;
}
