import { Module } from '@nestjs/common';
import { CameraNetworks } from './camera-networks.js';
import { CameraService } from './camera.service.js';
import { CamerasController } from './cameras.controller.js';

@Module({
  controllers: [CamerasController],
  providers: [CameraNetworks, CameraService],
  exports: [CameraService],
})
export class CamerasModule {}
