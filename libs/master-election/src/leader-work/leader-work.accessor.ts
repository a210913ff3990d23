import 'reflect-metadata';
import type { LeaderWork } from './leader-work.js';

const KEY = Symbol('LEADER_WORK');

/** Adds work to the metadata of a method. */
export function addLeaderWork(method: object, work: LeaderWork): void {
  Reflect.defineMetadata(KEY, [...leaderWorkOf(method), work], method);
}

/** The work in the metadata of a method. */
export function leaderWorkOf(method: object): readonly LeaderWork[] {
  return (Reflect.getMetadata(KEY, method) as LeaderWork[] | undefined) ?? [];
}
