import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
// SIGTERM hands leadership over, instead of letting it expire.
app.enableShutdownHooks();
console.log('started');
