import { ignoreLostOutput } from './lost-output.js';
import { leaveProcessOne } from './process-one.js';

// Without a listener, Node opens its debugger to the network. The program takes some time to load.
process.on('SIGUSR1', () => undefined);
if (process.pid === 1) leaveProcessOne();
ignoreLostOutput();
const { runCli } = await import('./cli/program.js');
// What commands have left running may still hold our pipes: nothing else is waited for.
process.exit(await runCli(process.argv));
