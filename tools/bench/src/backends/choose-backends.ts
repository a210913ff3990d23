import { benchBackends, isBackendName, type BackendName } from './bench-backends.js';
import { STORE_VARIABLES } from '../support/bench-stores.js';

/** The backends that are not measured, and why. */
const NEVER: Readonly<Record<string, string>> = {
  console: 'nothing to measure: the user elects',
  'failovers of memory': 'it has one process, and no other survives',
};

export interface ChosenBackends {
  readonly names: readonly BackendName[];
  /** Reasons by name. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/**
 * Returns the backends in `only`, or all that can be measured here.
 * @throws TypeError that names an impossible backend in `only`, and the remedy.
 */
export function chooseBackends(
  only: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChosenBackends {
  const leftOut: Record<string, string> = { ...NEVER };
  for (const [name, { store }] of Object.entries(benchBackends)) {
    const variable = store === 'mongodb' || store === 'rethinkdb' ? STORE_VARIABLES[store] : undefined;
    if (variable && !environment[variable]) leftOut[name] = `set ${variable} to the URL of a server`;
  }
  const there = Object.keys(benchBackends);
  for (const name of only) {
    if (Object.hasOwn(leftOut, name)) throw new TypeError(`--only ${name}: ${leftOut[name]}`);
    if (!isBackendName(name)) throw new TypeError(`--only ${name}: there are ${there.join(', ')}`);
  }
  const names = (there as BackendName[]).filter((name) => !Object.hasOwn(leftOut, name));
  if (only.length === 0) return { names, leftOut };
  return { names: names.filter((name) => only.includes(name)), leftOut: {} };
}
