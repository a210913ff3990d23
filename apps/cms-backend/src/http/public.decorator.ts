import { Reflector } from '@nestjs/core';

/** `@Public(true)` marks a controller or handler that needs no API key. */
export const Public = Reflector.createDecorator<boolean>();
