import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { readFile } from 'fs/promises';
import { type DescribedRoute, describeRoute } from './described-route.js';

/** Describes every handler of the application that has an `@Operation`. */
@Injectable()
export class OpenApiService {
  private made: Promise<object> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Generated on the first call. The library for that is loaded then, and not when the process starts. */
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
