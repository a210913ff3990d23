// For programs that run the service inside a process of their own; the service itself is `main`.
export type { AppConfig } from './config/app-config.js';
export { readConfig } from './config/read-config.js';
export { createApp } from './create-app.js';
export { createPrismaClient } from './stores/prisma-client.js';
export type { PrismaClient } from './generated/prisma/client.js';
