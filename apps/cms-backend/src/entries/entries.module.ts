import { Controller, Module } from '@nestjs/common';
import { cameraKind } from './camera.kind.js';
import { displayKind } from './display.kind.js';
import { entriesController } from './entries.controller.js';
import { ImpactForecast } from './impact-forecast.js';
import { modelKind } from './model.kind.js';
import { playlistKind } from './playlist.kind.js';

@Controller('api/cameras')
class CamerasController extends entriesController(cameraKind) {}

@Controller('api/displays')
class DisplaysController extends entriesController(displayKind) {}

@Controller('api/playlists')
class PlaylistsController extends entriesController(playlistKind) {}

@Controller('api/models')
class ModelsController extends entriesController(modelKind) {}

/** The entries of the database, over HTTP. The Prisma client tells the master about each committed write. */
@Module({
  controllers: [CamerasController, DisplaysController, PlaylistsController, ModelsController],
  providers: [ImpactForecast],
})
export class EntriesModule {}
