import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
  SerializeOptions,
} from '@nestjs/common';
import type { Response } from 'express';
import { idParam } from '../http/fields/fields.js';
import { pageQuerySchema, type Page, type PageQuery } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  playlistPageSchema,
  playlistSchema,
  createPlaylistSchema,
  updatePlaylistSchema,
  type PlaylistView,
  type CreatePlaylist,
  type UpdatePlaylist,
} from './playlist.schema.js';
import { PlaylistService } from './playlist.service.js';

@Controller('api/playlists')
export class PlaylistsController {
  constructor(private readonly playlists: PlaylistService) {}

  @Get()
  @Operation({ summary: 'List playlists', problems: [422] })
  @SerializeOptions({ schema: playlistPageSchema })
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<PlaylistView>> {
    return this.playlists.getPlaylists(query);
  }

  @Post()
  @Operation({ summary: 'Add a playlist', problems: [400, 409, 413, 415, 422] })
  @SerializeOptions({ schema: playlistSchema })
  async create(
    @Body({ schema: createPlaylistSchema }) body: CreatePlaylist,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PlaylistView> {
    const playlist = await this.playlists.addPlaylist(body);
    response.location(`/api/playlists/${playlist.id}`);
    return playlist;
  }

  @Get(':id')
  @Operation({ summary: 'Read a playlist', problems: [404, 422] })
  @SerializeOptions({ schema: playlistSchema })
  read(@Param('id', { schema: idParam }) id: number): Promise<PlaylistView> {
    return this.playlists.getPlaylist(id);
  }

  @Patch(':id')
  @Operation({ summary: 'Change fields of a playlist', problems: [400, 404, 409, 413, 415, 422] })
  @SerializeOptions({ schema: playlistSchema })
  update(
    @Param('id', { schema: idParam }) id: number,
    @Body({ schema: updatePlaylistSchema }) body: UpdatePlaylist,
  ): Promise<PlaylistView> {
    return this.playlists.updatePlaylist(id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ summary: 'Remove a playlist; its displays remain without a playlist', problems: [404, 422] })
  remove(@Param('id', { schema: idParam }) id: number): Promise<void> {
    return this.playlists.removePlaylist(id);
  }
}
