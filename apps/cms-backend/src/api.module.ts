import { Module } from '@nestjs/common';
import { CamerasModule } from './cameras/cameras.module.js';
import { DisplaysModule } from './displays/displays.module.js';
import { EntriesModule } from './entries/entries.module.js';
import { ModelsModule } from './models/models.module.js';
import { PlaylistsModule } from './playlists/playlists.module.js';

/** What is stored in the database, over HTTP. */
@Module({ imports: [EntriesModule, CamerasModule, DisplaysModule, PlaylistsModule, ModelsModule] })
export class ApiModule {}
