// Two backends in one process must never claim under the same name, whoever the candidate is.
let claims = 0;

/** A name under which a candidate claims a lease, never used before: `<candidate id>:<number>`. */
export function newOwner(candidateId: string): string {
  return `${candidateId}:${++claims}`;
}

/** The candidate behind an owner. */
export function candidateOfOwner(owner: string): string {
  return owner.slice(0, owner.lastIndexOf(':'));
}
