import { Inject, Injectable } from '@nestjs/common';
import { PRISMA } from '../database/prisma-client.js';
import { type EntryKind, type Rows, USERS_LISTED } from '../entries/entry-kind.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Model, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { withInstants } from '../http/fields.js';
import { containing, type Page } from '../http/pagination.js';
import type { CreateModel, ModelsQuery, ModelView, PutModels, UpdateModel } from './model.schema.js';

const toView = (row: Model) => withInstants(row);

/** How models are stored, and what refers to them. */
const modelKind: EntryKind<Model, ReturnType<typeof toView>> = {
  name: 'model',
  rows: (client) => client.model as unknown as Rows<Model>,
  pathKey: 'id',
  nameKey: 'name',
  toView,
  required: ['fileKey'],
  references: [],
  users: async (client, { id }) => {
    const where = { modelId: id };
    const playlists = await client.playlist.findMany({ where, take: USERS_LISTED, orderBy: { name: 'asc' } });
    return {
      total: await client.playlist.count({ where }),
      items: playlists.map(({ name }) => ({ kind: 'playlist' as const, key: name })),
    };
  },
  changed: (rows) => ({ models: rows.map(({ id }) => id) }),
};

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
