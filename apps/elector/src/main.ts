import { leaveProcessOne } from './process-one.js';

// Without a listener, Node opens its debugger to the network. The program takes some time to load.
process.on('SIGUSR1', () => undefined);
if (process.pid === 1) leaveProcessOne();
// Its output may be lost, because the reader of a pipe has ended or a disk is full. Without a listener, the first such error would end
// the program, and the end command would not run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const { runCli } = await import('./cli/program.js');
// What commands have left running may still hold our pipes: nothing else is waited for.
process.exit(await runCli(process.argv));
