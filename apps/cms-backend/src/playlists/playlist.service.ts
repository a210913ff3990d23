import { Inject, Injectable } from '@nestjs/common';
import { orNotFound } from '../database/or-not-found.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { pageArguments, toPage, type Page, type PageQuery } from '../http/pagination.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CreatePlaylist, PlaylistView, UpdatePlaylist } from './playlist.schema.js';

/** The playlists in the database. */
@Injectable()
export class PlaylistService {
  constructor(@Inject(PRISMA) private readonly prisma: PrismaClient) {}

  async getPlaylists(query: PageQuery): Promise<Page<PlaylistView>> {
    return toPage(await this.prisma.playlist.findMany(pageArguments(query)), query, withInstants);
  }

  async getPlaylist(id: number): Promise<PlaylistView> {
    const found = this.prisma.playlist.findUnique({ where: { id } });
    return withInstants(await orNotFound(found, missing(id)));
  }

  async addPlaylist(data: CreatePlaylist): Promise<PlaylistView> {
    return withInstants(await this.prisma.playlist.create({ data }));
  }

  async updatePlaylist(id: number, data: UpdatePlaylist): Promise<PlaylistView> {
    const updated = this.prisma.playlist.update({ where: { id }, data });
    return withInstants(await orNotFound(updated, missing(id)));
  }

  /** Displays that used it stay, without a playlist. */
  async removePlaylist(id: number): Promise<void> {
    await orNotFound(this.prisma.playlist.delete({ where: { id } }), missing(id));
  }
}

function missing(id: number): string {
  return `there is no playlist ${id}`;
}
