import { randomUUID } from 'node:crypto';

/** A prefix for the keys of one test: tests share servers and must not meet there. */
export const randomPrefix = (name = 'test'): string => `${name}-${randomUUID().slice(0, 13)}`;
