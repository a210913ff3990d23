export { CronSchedule } from './schedule/cron-schedule.js';
