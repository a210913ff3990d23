import { Controller, Get, Header, NotFoundException, Param, Query, StreamableFile } from '@nestjs/common';
import { SequenceCounters } from './sequence-counters.js';
import { StreamRegistry } from './stream-registry.js';
import { cameraPicture, sequenceOf } from './scene.js';

@Controller('camera')
export class CameraImageController {
  constructor(
    private readonly streams: StreamRegistry,
    private readonly sequences: SequenceCounters,
  ) {}

  /**
   * Latest picture of a subscription's camera, or that of the detection which named `picture`. The identifier is URL-encoded (`;` is `%3B`).
   */
  @Get(':subscriptionIdentifier/image')
  @Header('cache-control', 'no-store')
  image(
    @Param('subscriptionIdentifier') identifier: string,
    @Query('picture') picture?: string,
  ): StreamableFile {
    const subscription = this.streams.find(identifier);
    if (subscription === undefined) throw new NotFoundException('no such subscription');
    if (!this.streams.isOnline(subscription.cameraId))
      throw new NotFoundException('no frame: camera is offline');
    const last = this.sequences.last(identifier);
    const sequence =
      picture === undefined ? last : sequenceOf(picture, this.streams.streamIdOf(subscription.cameraId));
    // Each picture is drawn from the number of its detection, so none has to be kept.
    if (sequence === null || sequence > last) throw new NotFoundException('no such picture');
    return new StreamableFile(cameraPicture(subscription.cameraId, sequence), { type: 'image/jpeg' });
  }
}
