import { runCli } from './cli/program.js';
import { ignoreLostOutput } from './lost-output.js';

ignoreLostOutput();
// What commands have left running may still hold our pipes: nothing else is waited for.
process.exit(await runCli(process.argv));
