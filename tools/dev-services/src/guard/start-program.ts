import { tempDirectory } from '../support/temp-directory.js';
import { Guard, type GuardOptions } from './guard.js';
import { ServerProcess, type ServerRecipe } from './server-process.js';

/** A program of one process, see {@link ServerRecipe}. */
export interface ProgramRecipe extends Pick<ServerRecipe, 'name' | 'ready'> {
  /** Makes what the program needs in its directory, and returns the command. */
  command(directory: string): readonly string[] | Promise<readonly string[]>;
  /** See {@link GuardOptions}. */
  stopSignal: GuardOptions['stopSignal'];
  /** How long the program may take to stop before it is killed, in milliseconds. */
  timeout: number;
}

/** A program that runs under a guard. */
export interface GuardedProgram {
  readonly server: ServerProcess;
  /** Its directory, with its output in `log`. */
  readonly directory: string;
}

/**
 * Starts a program. It ends with this process, also if it is frozen or this process is killed.
 * @throws ServerStartError
 */
export async function startProgram(recipe: ProgramRecipe): Promise<GuardedProgram> {
  const { name, stopSignal, timeout } = recipe;
  const directory = await tempDirectory(name);
  const guard = new Guard({ directory, stopSignal, timeout });
  try {
    const server = new ServerProcess(guard, {
      name,
      directory,
      command: await recipe.command(directory),
      ready: (pid) => recipe.ready(pid),
      crashSignal: 'KILL',
      forks: false,
    });
    await server.start();
    return { server, directory };
  } catch (error) {
    await guard.close();
    throw error;
  }
}
