import { Inject, Injectable } from '@nestjs/common';
import { orNotFound } from '../database/or-not-found.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { pageArguments, toPage, type Page, type PageQuery } from '../http/pagination.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CreateDisplay, DisplayView, UpdateDisplay } from './display.schema.js';

/** The displays in the database. Like `CameraService` it only writes; the subscriptions follow from what is stored. */
@Injectable()
export class DisplayService {
  constructor(@Inject(PRISMA) private readonly prisma: PrismaClient) {}

  async getDisplays(query: PageQuery): Promise<Page<DisplayView>> {
    return toPage(await this.prisma.display.findMany(pageArguments(query)), query, withInstants);
  }

  async getDisplay(displayId: string): Promise<DisplayView> {
    const found = this.prisma.display.findUnique({ where: { displayId } });
    return withInstants(await orNotFound(found, missing(displayId)));
  }

  async registerDisplay(data: CreateDisplay): Promise<DisplayView> {
    return withInstants(await this.prisma.display.create({ data }));
  }

  async updateDisplay(displayId: string, data: UpdateDisplay): Promise<DisplayView> {
    const updated = this.prisma.display.update({ where: { displayId }, data });
    return withInstants(await orNotFound(updated, missing(displayId)));
  }

  async deleteDisplay(displayId: string): Promise<void> {
    await orNotFound(this.prisma.display.delete({ where: { displayId } }), missing(displayId));
  }
}

function missing(displayId: string): string {
  return `there is no display ${JSON.stringify(displayId)}`;
}
