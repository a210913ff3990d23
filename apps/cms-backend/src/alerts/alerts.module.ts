import { Module } from '@nestjs/common';
import { MasterAlerts } from './master-alerts.js';

/**
 * Alerts for people. They belong to the service: their names, delays and labels are those of its rules for Prometheus, and an
 * application with other rules has the metrics of the library.
 */
@Module({ providers: [MasterAlerts] })
export class AlertsModule {}
