import { Inject, Injectable } from '@nestjs/common';
import { PRISMA } from '../database/prisma-client.js';
import { displaysWith, type EntryKind, type Rows } from '../entries/entry-kind.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Playlist, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { withInstants } from '../http/fields.js';
import { containing, type Page } from '../http/pagination.js';
import type {
  CreatePlaylist,
  PlaylistsQuery,
  PlaylistView,
  PutPlaylists,
  UpdatePlaylist,
} from './playlist.schema.js';

const toView = (row: Playlist) => withInstants(row);

/** How playlists are stored, and what refers to them. */
const playlistKind: EntryKind<Playlist, ReturnType<typeof toView>> = {
  name: 'playlist',
  rows: (client) => client.playlist as unknown as Rows<Playlist>,
  pathKey: 'id',
  nameKey: 'name',
  toView,
  required: [],
  references: [{ field: 'modelId', rows: (client) => client.model as unknown as Rows<object>, key: 'id' }],
  users: (client, { id }) => displaysWith(client, { playlistId: id }),
  changed: (rows) => ({ playlists: rows.map(({ id }) => id) }),
};

/** The playlists in the database. */
@Injectable()
export class PlaylistService {
  private readonly store: EntryStore<Playlist, Omit<PlaylistView, 'etag'>>;

  constructor(@Inject(PRISMA) prisma: PrismaClient, forecast: ImpactForecast) {
    this.store = new EntryStore(prisma, playlistKind, forecast);
  }

  getPlaylists({ text = '', modelId, ...page }: PlaylistsQuery): Promise<Page<PlaylistView>> {
    return this.store.list(page, { name: containing(text), modelId });
  }

  getPlaylist(id: number): Promise<PlaylistView> {
    return this.store.read(id);
  }

  addPlaylist(data: CreatePlaylist): Promise<PlaylistView> {
    return this.store.add(data);
  }

  updatePlaylist(id: number, data: UpdatePlaylist, precondition: Precondition = null): Promise<PlaylistView> {
    return this.store.change(id, data, precondition);
  }

  putPlaylists({ items }: PutPlaylists, options: PutOptions): Promise<PutResult> {
    return this.store.put(items, options);
  }

  /** With `detach` displays that use it stay, without a playlist. */
  removePlaylist(id: number, options: RemoveOptions = {}): Promise<void> {
    return this.store.remove(id, options);
  }

  previewRemoval(id: number): Promise<Removal> {
    return this.store.previewRemoval(id);
  }
}
