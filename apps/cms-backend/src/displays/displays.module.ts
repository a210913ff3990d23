import { Module } from '@nestjs/common';
import { DisplayService } from './display.service.js';
import { DisplaysController } from './displays.controller.js';

@Module({ controllers: [DisplaysController], providers: [DisplayService], exports: [DisplayService] })
export class DisplaysModule {}
