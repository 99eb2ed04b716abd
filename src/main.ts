/** The program: runs the command line in this process. */
import { runCommandLine } from './commands/command-line.ts';

// A reader of the output, such as `head`, may close the pipe early. Exit quietly then, as other tools do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runCommandLine(process.argv.slice(2));
