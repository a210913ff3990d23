import { Inject, Injectable } from '@nestjs/common';
import { PRISMA } from '../database/prisma-client.js';
import type { EntryKind, Rows } from '../entries/entry-kind.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Display, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { withInstants } from '../http/fields.js';
import { containing, type Page } from '../http/pagination.js';
import type {
  CreateDisplay,
  DisplaysQuery,
  DisplayView,
  PutDisplays,
  UpdateDisplay,
} from './display.schema.js';

const toView = ({ id: _id, ...row }: Display) => withInstants(row);

/** How displays are stored. Nothing refers to a display. */
const displayKind: EntryKind<Display, ReturnType<typeof toView>> = {
  name: 'display',
  rows: (client) => client.display as unknown as Rows<Display>,
  pathKey: 'displayId',
  nameKey: 'displayId',
  toView,
  required: [],
  references: [
    {
      field: 'cameraIdentifier',
      rows: (client) => client.camera as unknown as Rows<object>,
      key: 'cameraIdentifier',
    },
    { field: 'playlistId', rows: (client) => client.playlist as unknown as Rows<object>, key: 'id' },
  ],
  users: null,
  changed: (rows) => ({ displays: rows.map(({ displayId }) => displayId) }),
};

/** The displays in the database. Like `CameraService` it only writes. The subscriptions follow from the stored rows. */
@Injectable()
export class DisplayService {
  private readonly store: EntryStore<Display, Omit<DisplayView, 'etag'>>;

  constructor(@Inject(PRISMA) prisma: PrismaClient, forecast: ImpactForecast) {
    this.store = new EntryStore(prisma, displayKind, forecast);
  }

  getDisplays({
    text = '',
    cameraIdentifier,
    playlistId,
    ...page
  }: DisplaysQuery): Promise<Page<DisplayView>> {
    return this.store.list(page, {
      OR: [{ displayId: containing(text) }, { name: containing(text) }],
      cameraIdentifier,
      playlistId,
    });
  }

  getDisplay(displayId: string): Promise<DisplayView> {
    return this.store.read(displayId);
  }

  registerDisplay(data: CreateDisplay): Promise<DisplayView> {
    return this.store.add(data);
  }

  updateDisplay(
    displayId: string,
    data: UpdateDisplay,
    precondition: Precondition = null,
  ): Promise<DisplayView> {
    return this.store.change(displayId, data, precondition);
  }

  putDisplays({ items }: PutDisplays, options: PutOptions): Promise<PutResult> {
    return this.store.put(items, options);
  }

  deleteDisplay(displayId: string, options: RemoveOptions = {}): Promise<void> {
    return this.store.remove(displayId, options);
  }

  previewRemoval(displayId: string): Promise<Removal> {
    return this.store.previewRemoval(displayId);
  }
}
