import { randomBytes } from 'node:crypto';

// Unique in the process, so that no two of its claims have the same owner.
let claims = 0;

/** A random name for one life of a candidate. A process that starts again with the same candidate id has another one. */
export function newIncarnation(): string {
  return randomBytes(8).toString('hex');
}

/** One life of a candidate: `<candidate id>:<incarnation>`. Redis sees whether it lives by its presence channel. */
export function instanceOf(candidateId: string, incarnation: string): string {
  return `${candidateId}:${incarnation}`;
}

/** A name under which an instance claims a lease, never used before: `<candidate id>:<incarnation>:<number>`. */
export function newOwner(instance: string): string {
  return `${instance}:${++claims}`;
}

/** The instance behind an owner. */
export function instanceOfOwner(owner: string): string {
  return withoutLastPart(owner);
}

/** The candidate behind an owner. */
export function candidateOfOwner(owner: string): string {
  return withoutLastPart(withoutLastPart(owner));
}

function withoutLastPart(name: string): string {
  return name.slice(0, name.lastIndexOf(':'));
}
