import { Inject, Injectable } from '@nestjs/common';
import { PRISMA } from '../database/prisma-client.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Model, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { containing, type Page } from '../http/pagination.js';
import { modelKind } from './model.kind.js';
import type { ModelsQuery, ModelView, CreateModel, PutModels, UpdateModel } from './model.schema.js';

/** The detection models in the database. */
@Injectable()
export class ModelService {
  private readonly store: EntryStore<Model, Omit<ModelView, 'etag'>>;

  constructor(@Inject(PRISMA) prisma: PrismaClient, forecast: ImpactForecast) {
    this.store = new EntryStore(prisma, modelKind, forecast);
  }

  getModels({ text = '', ...page }: ModelsQuery): Promise<Page<ModelView>> {
    return this.store.list(page, { name: containing(text) });
  }

  getModel(id: number): Promise<ModelView> {
    return this.store.read(id);
  }

  addModel(data: CreateModel): Promise<ModelView> {
    return this.store.add(data);
  }

  updateModel(id: number, data: UpdateModel, precondition: Precondition = null): Promise<ModelView> {
    return this.store.change(id, data, precondition);
  }

  putModels({ items }: PutModels, options: PutOptions): Promise<PutResult> {
    return this.store.put(items, options);
  }

  /** With `detach` playlists that use it stay, without a model. */
  removeModel(id: number, options: RemoveOptions = {}): Promise<void> {
    return this.store.remove(id, options);
  }

  previewRemoval(id: number): Promise<Removal> {
    return this.store.previewRemoval(id);
  }
}
