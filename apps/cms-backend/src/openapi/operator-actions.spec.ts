import type { DynamicModule, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { OPERATOR_ACTIONS } from '../../../dashboard/src/events/operator-actions.js';
import { AppModule } from '../app.module.js';
import { readConfig } from '../config/read-config.js';
import { isSafe } from '../http/request-checks.js';
import { describeRoute } from './described-route.js';
import { createOpenApiDocument } from './openapi-document.js';

/** The controllers of a module and of the modules that it imports. Nothing is started. */
function controllersOf(reference: Type | DynamicModule): Type[] {
  const dynamic: Partial<DynamicModule> = 'module' in reference ? reference : {};
  const module = dynamic.module ?? reference;
  const declared = <T>(key: string) => (Reflect.getMetadata(key, module) ?? []) as T[];
  const imports = [
    ...declared<Type | DynamicModule>(MODULE_METADATA.IMPORTS),
    ...((dynamic.imports ?? []) as (Type | DynamicModule)[]),
  ];
  return [
    ...declared<Type>(MODULE_METADATA.CONTROLLERS),
    ...(dynamic.controllers ?? []),
    ...imports.flatMap(controllersOf),
  ];
}

describe('operations that change something', () => {
  it('have words in the events of the dashboard', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://127.0.0.1/x',
      REDIS_URL: 'redis://127.0.0.1',
      MODEL_BASE_URL: 'http://127.0.0.1:9/models',
    });
    const [scanner, reflector] = [new MetadataScanner(), new Reflector()];
    const routes = controllersOf(AppModule.forRoot(config)).flatMap((controller) =>
      scanner
        .getAllMethodNames(controller.prototype as object)
        .flatMap((name) => describeRoute(controller, name, reflector) ?? []),
    );
    const { paths = {} } = createOpenApiDocument(routes, '0');
    const changing = Object.values(paths).flatMap((path) =>
      Object.entries(path as Record<string, { readonly operationId: string }>)
        .filter(([method]) => !isSafe(method.toUpperCase()))
        .map(([, { operationId }]) => operationId),
    );
    expect(Object.keys(OPERATOR_ACTIONS).toSorted()).toEqual(changing.toSorted());
  });
});
