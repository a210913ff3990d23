import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import { AppModule } from './app.module.js';
import { host, port } from './config.js';

/** Scripts, styles and connections of this server only. Workers wrote much of what the pages show. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
app.useWebSocketAdapter(new WsAdapter(app));
app.use((_request: IncomingMessage, response: ServerResponse, next: () => void) => {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
});
app.useStaticAssets(fileURLToPath(new URL('../public', import.meta.url)));
await app.listen(port, host);
console.log(`answers at ${await app.getUrl()}`);
