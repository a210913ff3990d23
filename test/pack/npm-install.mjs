const FLAGS = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

/** Installs packages beside those of the application's `package.json`, from the cache where it has them. */
export function npmInstall(directory, names, run) {
  return run('npm', ['install', ...FLAGS, ...names], { cwd: directory });
}
