import { Inject, Injectable } from '@nestjs/common';
import { orNotFound } from '../database/or-not-found.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { pageArguments, toPage, type Page, type PageQuery } from '../http/pagination.js';
import type { CameraView, CreateCamera, UpdateCamera } from './camera.schema.js';
import { CameraNetworks } from './camera-networks.js';
import { toCameraView } from './camera.view.js';

/**
 * The cameras in the database. The service does not handle subscriptions: after each committed write the Prisma client
 * makes the master read the database again.
 */
@Injectable()
export class CameraService {
  constructor(
    @Inject(PRISMA) private readonly prisma: PrismaClient,
    private readonly networks: CameraNetworks,
  ) {}

  async getCameras(query: PageQuery): Promise<Page<CameraView>> {
    return toPage(await this.prisma.camera.findMany(pageArguments(query)), query, toCameraView);
  }

  async getCamera(cameraIdentifier: string): Promise<CameraView> {
    const found = this.prisma.camera.findUnique({ where: { cameraIdentifier } });
    return toCameraView(await orNotFound(found, missing(cameraIdentifier)));
  }

  async addCamera(data: CreateCamera): Promise<CameraView> {
    this.networks.check(data);
    return toCameraView(await this.prisma.camera.create({ data }));
  }

  async updateCamera(cameraIdentifier: string, data: UpdateCamera): Promise<CameraView> {
    this.networks.check(data);
    const updated = this.prisma.camera.update({ where: { cameraIdentifier }, data });
    return toCameraView(await orNotFound(updated, missing(cameraIdentifier)));
  }

  /** Displays that used it stay, without a camera. */
  async removeCamera(cameraIdentifier: string): Promise<void> {
    await orNotFound(this.prisma.camera.delete({ where: { cameraIdentifier } }), missing(cameraIdentifier));
  }
}

function missing(cameraIdentifier: string): string {
  return `there is no camera ${JSON.stringify(cameraIdentifier)}`;
}
