/** `packshot mcp`: tools for local agents, using the Model Context Protocol over standard input and output. */
import { type Command, InvalidArgumentError } from 'commander';
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { openOwnService } from './shared/own-service.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './shared/service-client.ts';
import { listenForStops } from './shared/stop-signals.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options extends ServerOptions {
  readonly root?: readonly string[];
}

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .summary('Serve tools for AI agents over standard input and output.')
    .description(
      'Serve tools for AI agents (Model Context Protocol) over standard input and output. The agent starts this command itself; ' +
        'docs/agents.md lists the tools.',
    )
    .option(
      '--root <folder>',
      'folder whose photos the agent may read and where it may write pictures; repeatable (default: the current folder)',
      (folder: string, before: readonly string[] = []) => {
        if (folder === '') throw new InvalidArgumentError('Needs a folder.');
        return [...before, folder];
      },
    );
  addServerOptions(command).addHelpText('after', help).action(serveAgents);
}

const help = `
Without --server, photos are processed in this process; they and their designs are deleted when it ends.

Examples:
  claude mcp add packshot -- packshot mcp --root ~/photos
  packshot mcp --root photos --root exports --server http://127.0.0.1:8080

docs/agents.md has the lines for other clients.`;

async function serveAgents(options: Options, command: Command): Promise<void> {
  // Loaded here, so that other commands do not load the protocol library.
  const { openLocalFiles } = await import('../mcp/local-files.ts');
  const { serveStdio } = await import('../mcp/serve-stdio.ts');
  const files = await openLocalFiles(options.root ?? ['.']).catch((error: Error) =>
    command.error(`error: ${error.message}`, { exitCode: 2 }),
  );
  const named = await askService(options, command);
  let own: Promise<Service> | undefined;
  const openClient = async (): Promise<PackshotClient> => {
    if (named) return named.client;
    own ??= openOwnService(loadToolConfig());
    // If the service failed to start, the next call tries to start it again.
    own.catch(() => {
      own = undefined;
    });
    return (await own).client;
  };

  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stopListening = listenForStops(() => end());
  // The session ends when its input ends. Without these listeners, the service in this process would keep running.
  process.stdin.once('end', end).once('close', end);
  const server = serveStdio({ openClient, files, baseUrl: undefined }, (error) =>
    console.error(`packshot mcp: ${error.message}`),
  );
  await ended;
  stopListening();
  await server.close();
  await (await own?.catch(() => undefined))?.close();
}
