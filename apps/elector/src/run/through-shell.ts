/** Variables that shells set by themselves. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/**
 * The beginning of a script for `sh -c` that gets its arguments from `throughShell`: removes what the shell has added to the
 * environment, so that `"$@"` finds the same variables as the shell did.
 */
export const LIKE_BEFORE = 'for name in $1; do unset "$name"; done\nshift\n';

/** The arguments for `LIKE_BEFORE`: the variables to remove, and the command. */
export function throughShell(command: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const added = OF_SHELLS.filter((name) => env[name] === undefined).join(' ');
  // Some shells drop variables whose names are none of theirs, such as `spring.datasource.url`.
  const dropped = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name));
  if (dropped.length === 0) return [added, ...command];
  return [added, 'env', ...dropped.map(([name, value]) => `${name}=${value}`), ...command];
}
