import 'reflect-metadata';
import type { LeaderWork } from './leader-work.js';

const KEY = Symbol('LEADER_WORK');

/** Notes what is to be done with a method, beside what was noted before. */
export function addLeaderWork(method: object, work: LeaderWork): void {
  Reflect.defineMetadata(KEY, [...leaderWorkOf(method), work], method);
}

/** What has been noted for a method. */
export function leaderWorkOf(method: object): readonly LeaderWork[] {
  return (Reflect.getMetadata(KEY, method) as LeaderWork[] | undefined) ?? [];
}
