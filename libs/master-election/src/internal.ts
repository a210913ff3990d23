export { DecoratedMethods, type DecoratedMethod } from './leader-work/decorated-methods.js';
export { CronSchedule } from './schedule/cron-schedule.js';
