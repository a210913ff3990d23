import { Controller, Param, Put } from '@nestjs/common';
import { prisma } from './prisma.js';

@Controller('displays')
export class DisplaysController {
  /** An ordinary write, without any code for workers or subscriptions. */
  @Put(':displayId')
  async put(@Param('displayId') displayId: string) {
    const model = { name: 'plates' };
    return prisma.display.upsert({
      where: { displayId },
      update: {},
      create: {
        displayId,
        camera: { create: { cameraIdentifier: `${displayId}-camera`, rtspUrl: 'rtsp://10.0.0.11/main' } },
        playlist: { create: { model: { connectOrCreate: { where: model, create: model } } } },
      },
    });
  }
}
