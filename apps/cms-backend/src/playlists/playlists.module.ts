import { Module } from '@nestjs/common';
import { PlaylistService } from './playlist.service.js';
import { PlaylistsController } from './playlists.controller.js';

@Module({ controllers: [PlaylistsController], providers: [PlaylistService], exports: [PlaylistService] })
export class PlaylistsModule {}
