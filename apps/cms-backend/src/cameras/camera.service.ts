import { Inject, Injectable } from '@nestjs/common';
import { PRISMA } from '../database/prisma-client.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Camera, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { containing, type Page } from '../http/pagination.js';
import { CameraNetworks } from './camera-networks.js';
import { cameraKind } from './camera.kind.js';
import type { CamerasQuery, CameraView, CreateCamera, PutCameras, UpdateCamera } from './camera.schema.js';

/**
 * The cameras in the database. The service does not handle subscriptions: after each committed write the Prisma client
 * makes the master read the database again.
 */
@Injectable()
export class CameraService {
  private readonly store: EntryStore<Camera, Omit<CameraView, 'etag'>>;

  constructor(
    @Inject(PRISMA) prisma: PrismaClient,
    forecast: ImpactForecast,
    private readonly networks: CameraNetworks,
  ) {
    this.store = new EntryStore(prisma, cameraKind(networks), forecast);
  }

  getCameras({ text = '', ...page }: CamerasQuery): Promise<Page<CameraView>> {
    return this.store.list(page, { cameraIdentifier: containing(text) });
  }

  getCamera(cameraIdentifier: string): Promise<CameraView> {
    return this.store.read(cameraIdentifier);
  }

  async addCamera(data: CreateCamera): Promise<CameraView> {
    this.networks.check(data);
    return this.store.add(data);
  }

  async updateCamera(
    cameraIdentifier: string,
    data: UpdateCamera,
    precondition: Precondition = null,
  ): Promise<CameraView> {
    this.networks.check(data);
    return this.store.change(cameraIdentifier, data, precondition);
  }

  putCameras({ items }: PutCameras, options: PutOptions): Promise<PutResult> {
    return this.store.put(items, options);
  }

  /** With `detach` displays that use it stay, without a camera. */
  removeCamera(cameraIdentifier: string, options: RemoveOptions = {}): Promise<void> {
    return this.store.remove(cameraIdentifier, options);
  }

  previewRemoval(cameraIdentifier: string): Promise<Removal> {
    return this.store.previewRemoval(cameraIdentifier);
  }
}
