import { Controller, Get, Header, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { StreamRegistry } from '../streams/stream-registry.js';
import { cameraPicture } from './camera-picture.js';

@Controller('camera')
export class CameraImageController {
  constructor(private readonly streams: StreamRegistry) {}

  /** Last frame of a subscription's camera; the identifier is URL-encoded (`;` is `%3B`). */
  @Get(':subscriptionIdentifier/image')
  @Header('cache-control', 'no-store')
  image(@Param('subscriptionIdentifier') identifier: string): StreamableFile {
    const subscription = this.streams.find(identifier);
    if (subscription === undefined) throw new NotFoundException('no such subscription');
    if (!this.streams.isOnline(subscription.cameraId))
      throw new NotFoundException('no frame: camera is offline');
    return new StreamableFile(cameraPicture(subscription.cameraId), { type: 'image/jpeg' });
  }
}
