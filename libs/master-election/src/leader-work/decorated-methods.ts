import 'reflect-metadata';
import type { Logger } from '@nestjs/common';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Method = (...args: unknown[]) => unknown;

/** A decorated method of an instance. */
export interface DecoratedMethod<Metadata> {
  readonly metadata: Metadata;
  /** `Class.method`. */
  readonly label: string;
  /** Calls the method on its instance. */
  readonly invoke: (...args: unknown[]) => unknown;
}

interface Decorated {
  /** Name as in the source, for messages: `@MasterCron`. */
  readonly decorator: string;
}

/** The methods with decorators of one kind. A method can have several. */
export class DecoratedMethods<Metadata extends Decorated> {
  private readonly key = Symbol('DECORATED_METHODS');

  /** Returns a decorator that adds to the metadata of a method. */
  add(metadata: Metadata): MethodDecorator {
    return (_target, _name, descriptor) => {
      const method = descriptor.value as object;
      Reflect.defineMetadata(this.key, [...this.metadataOf(method), metadata], method);
    };
  }

  /** The methods of a provider or controller, one entry for each decorator. Warns of those that cannot be called. */
  of(wrapper: Wrapper, logger: Logger): DecoratedMethod<Metadata>[] {
    const instance = wrapper.instance as Record<string, Method>;
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    const methods = new MetadataScanner().getAllMethodNames(prototype).flatMap((name) =>
      this.metadataOf(prototype![name]!).map((metadata) => ({
        metadata,
        label: `${prototype!.constructor.name}.${name}`,
        invoke: (...args: unknown[]) => instance[name]!(...args),
      })),
    );
    const obstacle = obstacleOf(wrapper);
    if (obstacle === undefined) return methods;
    for (const { metadata, label } of methods)
      logger.warn(
        `${metadata.decorator} on ${label} is without effect: ${obstacle}; move the method to a provider of default scope`,
      );
    return [];
  }

  private metadataOf(method: object): readonly Metadata[] {
    return (Reflect.getMetadata(this.key, method) as Metadata[] | undefined) ?? [];
  }
}

/** Why the methods of a provider cannot be called; `undefined` when they can. */
function obstacleOf(wrapper: Wrapper): string | undefined {
  if (wrapper.isTransient) return 'its class is transient, so that there is no single instance';
  return wrapper.isDependencyTreeStatic()
    ? undefined
    : 'its class is request-scoped, or depends on one that is';
}
