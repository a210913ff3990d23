import { Controller, Get, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { readFile } from 'fs/promises';
import { z } from 'zod';
import { type DescribedRoute, describeRoute } from './described-route.js';
import { Operation } from './operation.decorator.js';

const documentSchema = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });

/** Describes every handler of the application that has an `@Operation`. */
@Controller('api')
export class OpenApiController {
  private made: Promise<object> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Generated on the first call. The library for that is loaded then, and not when the process starts. */
  @Get('openapi.json')
  @Operation({ summary: 'The OpenAPI description of this service', answer: documentSchema })
  document(): Promise<object> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = null;
      throw error;
    });
    return this.made;
  }

  private async make(): Promise<object> {
    const { createOpenApiDocument } = await import('./openapi-document.js');
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    return createOpenApiDocument(this.routes(), String(manifest.version));
  }

  routes(): DescribedRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const methods = this.scanner.getAllMethodNames(metatype.prototype as object);
      return methods.flatMap((name) => describeRoute(metatype as Type, name, this.reflector) ?? []);
    });
  }
}
