import { Global, Module } from '@nestjs/common';
import { ImpactForecast } from './impact-forecast.js';

/** What the four kinds of entries share. */
@Global()
@Module({ providers: [ImpactForecast], exports: [ImpactForecast] })
export class EntriesModule {}
