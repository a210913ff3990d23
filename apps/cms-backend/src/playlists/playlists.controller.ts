import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  SerializeOptions,
} from '@nestjs/common';
import type { Response } from 'express';
import {
  putQuerySchema,
  putResultSchema,
  removalSchema,
  removeQuerySchema,
  type PutQuery,
  type RemoveQuery,
} from '../entries/entries.schema.js';
import type { PutResult, Removal } from '../entries/entry-store.js';
import { mayOverwrite, readIfMatch } from '../http/etag.js';
import { idParam } from '../http/fields.js';
import type { Page } from '../http/pagination.js';
import { Operation } from '../openapi/operation.decorator.js';
import {
  playlistPageSchema,
  playlistSchema,
  playlistsQuerySchema,
  createPlaylistSchema,
  putPlaylistsSchema,
  updatePlaylistSchema,
  type PlaylistView,
  type PlaylistsQuery,
  type CreatePlaylist,
  type PutPlaylists,
  type UpdatePlaylist,
} from './playlist.schema.js';
import { PlaylistService } from './playlist.service.js';

@Controller('api/playlists')
export class PlaylistsController {
  constructor(private readonly playlists: PlaylistService) {}

  @Get()
  @Operation({ summary: 'List playlists', problems: [422] })
  @SerializeOptions({ schema: playlistPageSchema })
  list(@Query({ schema: playlistsQuerySchema }) query: PlaylistsQuery): Promise<Page<PlaylistView>> {
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

  @Put()
  @Operation({
    summary: 'Add playlists, and change those that exist: all or none',
    conditional: true,
    problems: [400, 413, 415, 422, 428],
  })
  @SerializeOptions({ schema: putResultSchema })
  putAll(
    @Body({ schema: putPlaylistsSchema }) body: PutPlaylists,
    @Query({ schema: putQuerySchema }) { dryRun }: PutQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PutResult> {
    return this.playlists.putPlaylists(body, { dryRun, overwrite: mayOverwrite(ifMatch) });
  }

  @Get(':id')
  @Operation({ summary: 'Read a playlist', problems: [404, 422] })
  @SerializeOptions({ schema: playlistSchema })
  read(@Param('id', { schema: idParam }) id: number): Promise<PlaylistView> {
    return this.playlists.getPlaylist(id);
  }

  @Patch(':id')
  @Operation({
    summary: 'Change fields of a playlist',
    conditional: true,
    problems: [400, 404, 409, 413, 415, 422],
  })
  @SerializeOptions({ schema: playlistSchema })
  update(
    @Param('id', { schema: idParam }) id: number,
    @Body({ schema: updatePlaylistSchema }) body: UpdatePlaylist,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PlaylistView> {
    return this.playlists.updatePlaylist(id, body, readIfMatch(ifMatch));
  }

  @Get(':id/removal')
  @Operation({ summary: 'What the removal of a playlist would do', problems: [404, 422] })
  @SerializeOptions({ schema: removalSchema })
  removal(@Param('id', { schema: idParam }) id: number): Promise<Removal> {
    return this.playlists.previewRemoval(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    summary: 'Remove a playlist; 409 while displays use it',
    conditional: true,
    problems: [404, 409, 422],
  })
  remove(
    @Param('id', { schema: idParam }) id: number,
    @Query({ schema: removeQuerySchema }) { detach }: RemoveQuery,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    return this.playlists.removePlaylist(id, { precondition: readIfMatch(ifMatch), detach });
  }
}
