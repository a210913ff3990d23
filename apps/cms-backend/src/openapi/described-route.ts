import { HttpStatus, RequestMethod, type Type } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Reflector } from '@nestjs/core';
import type { z } from 'zod';
import { OperationMetadata, type OperationOptions } from './operation.decorator.js';

/** A handler with the information from its decorators. */
export interface DescribedRoute {
  /** Lower-case HTTP method. */
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** With parameters in braces: `/api/cameras/{cameraIdentifier}`. */
  readonly path: string;
  /** Unique, e.g. `camerasList`. */
  readonly operationId: string;
  readonly tag: string;
  readonly status: number;
  readonly operation: OperationOptions;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  readonly params: Readonly<Record<string, z.ZodType>>;
}

interface RouteArgument {
  readonly data?: string;
  readonly schema?: z.ZodType;
}

/** `camerasCreate` for the method `create` of `CamerasController`. */
export function operationIdOf(controller: Type, methodName: string): string {
  const tag = tagOf(controller);
  return `${tag.charAt(0).toLowerCase()}${tag.slice(1)}${methodName.charAt(0).toUpperCase()}${methodName.slice(1)}`;
}

const tagOf = (controller: Type): string => controller.name.replace(/Controller$/, '');

/** Reads one handler; null when the method is no handler or has no `@Operation`. */
export function describeRoute(
  controller: Type,
  methodName: string,
  reflector: Reflector,
): DescribedRoute | null {
  const handler = controller.prototype[methodName] as (...args: unknown[]) => unknown;
  const requestMethod = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  const operation = reflector.get(OperationMetadata, handler);
  if (requestMethod === undefined || operation === undefined) return null;
  const method = RequestMethod[requestMethod].toLowerCase() as DescribedRoute['method'];
  const tag = tagOf(controller);
  const args = routeArguments(controller, methodName);
  return {
    method,
    path: routePath(controller, handler),
    operationId: operationIdOf(controller, methodName),
    tag,
    status: statusOf(handler, requestMethod),
    operation,
    body: args.find(({ type }) => type === RouteParamtypes.BODY)?.schema,
    query: args.find(({ type }) => type === RouteParamtypes.QUERY)?.schema as z.ZodObject | undefined,
    params: Object.fromEntries(
      args.flatMap(({ type, data, schema }) =>
        type === RouteParamtypes.PARAM && data !== undefined && schema !== undefined ? [[data, schema]] : [],
      ),
    ),
  };
}

function routeArguments(controller: Type, methodName: string): (RouteArgument & { type: number })[] {
  const found = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName) ?? {}) as Record<
    string,
    RouteArgument
  >;
  // Keys are "<type>:<index of the argument>".
  return Object.entries(found).map(([key, argument]) => ({ ...argument, type: Number(key.split(':')[0]) }));
}

function routePath(controller: Type, handler: object): string {
  const parts = [controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
}

function statusOf(handler: object, method: RequestMethod): number {
  const explicit = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return explicit ?? (method === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK);
}
