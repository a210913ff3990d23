import { Module } from '@nestjs/common';
import { CameraService } from './camera.service.js';
import { CamerasController } from './cameras.controller.js';

@Module({ controllers: [CamerasController], providers: [CameraService], exports: [CameraService] })
export class CamerasModule {}
