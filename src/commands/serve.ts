/** `packshot serve`: runs the service, from reading the environment to a graceful shutdown. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { type Command, Option } from 'commander';
import { ConfigError } from '../config/setting.ts';
import { type Config, loadConfig } from '../config.ts';
import { isStudioBuilt } from '../http/routes/studio-page.ts';
import { openApp } from './shared/open-app.ts';
import { listenForStops, stopSignals } from './shared/stop-signals.ts';

/** After a stop signal, all calls should end within 30 s; a little later, the process exits in any case. */
const killAfterMs = 35_000;

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('Start the HTTP service. Configured by environment variables; see docs/configuration.md.')
    .addOption(
      new Option('--role <role>', 'what this process does (default: ROLE, or all)').choices([
        'all',
        'api',
        'worker',
      ]),
    )
    .option('--lan', 'listen on the local network, and print a QR code that lets a phone in, once')
    .option('--rembg', 'also serve clients of rembg, on port 7000 of this machine, without a key')
    .option('--rembg-port <port>', 'port for rembg clients (default: REMBG_PORT, or 7000)')
    .option(
      '--rembg-host <address>',
      'address for rembg clients; anyone who can reach it can use it without a key (default: REMBG_HOST, or 127.0.0.1)',
    )
    .action(serve);
}

interface ServeOptions {
  readonly role?: string;
  readonly lan?: true;
  readonly rembg?: true;
  readonly rembgPort?: string;
  readonly rembgHost?: string;
}

/** The default port of the rembg server. */
const rembgPort = '7000';

async function serve(asked: ServeOptions): Promise<void> {
  const config = loadConfig({ ...process.env, ...toVariables(asked) });
  const app = await openApp(config);
  let stopping = false;
  const grace = closeWithGrace({ delay: killAfterMs, skip: [...stopSignals] }, async ({ err }) => {
    stopping = true;
    if (err) console.error(err);
    await app.close();
  });
  listenForStops((signal, isFirst) => {
    console.error(`${signal}: stopping`);
    if (isFirst) return grace.close();
    console.error(`second ${signal}, exiting`);
    process.exit(1);
  });
  const address = await app.listen().catch(async (error: NodeJS.ErrnoException & { port?: number }) => {
    stopping = true;
    // Otherwise close-with-grace would end the process with exit code 0 once the event loop is empty.
    grace.uninstall();
    await app.close();
    throw error.code === 'EADDRINUSE' ? new ConfigError(portTaken(error.port)) : error;
  });
  process.once('exit', sayLastWords);
  const baseUrl = config.server.publicUrl ?? address;
  if (config.role === 'worker') process.stderr.write(`A Packshot worker listens on ${address} for probes.\n`);
  else if (app.firstKey) process.stderr.write(welcome(baseUrl, app.firstKey, config.storage));
  else process.stderr.write(`Packshot listens on ${address} with these pages:\n${listPages(baseUrl)}`);
  const phoneLinks = config.role === 'worker' ? undefined : app.phoneLinks();
  if (phoneLinks) process.stderr.write(await drawPhoneLinks(phoneLinks, config.server.host));
  const rembgUrl = app.rembgUrl();
  if (rembgUrl) process.stderr.write(`rembg clients can use ${rembgUrl}/api/remove without a key.\n`);
  app.ready.then(
    () => process.stderr.write(config.role === 'api' ? 'Ready.\n' : 'Ready: the removal engine is loaded.\n'),
    async (error) => {
      // The service was stopped during warm-up, which is not a failure.
      if (stopping) return;
      console.error('The removal engine could not be opened:', error);
      await app.close();
      process.exit(1);
    },
  );
}

async function drawPhoneLinks([link, ...others]: readonly string[], host: string): Promise<string> {
  if (link === undefined)
    return `No phone can be let in, as none can reach HOST=${host}. Use HOST=0.0.0.0.\n`;
  const { renderUnicodeCompact } = await import('uqr');
  const elsewhere = others.length > 0 ? `If the phone finds nothing there:\n${others.join('\n')}\n\n` : '';
  return `A phone in the same network may open this once, within ten minutes, and is then let in:\n\n${renderUnicodeCompact(link)}\n\n${link}\n\n${elsewhere}`;
}

/** A service that ends without these words was killed, for example for want of memory. */
function sayLastWords(code: number): void {
  const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
  process.stderr.write(
    `Packshot ends with exit code ${code} after ${Math.round(process.uptime())} s, with ${memoryMb} MB of memory.\n`,
  );
}

/** Converts options to environment variables; options take precedence over the environment. */
function toVariables(asked: ServeOptions): Record<string, string> {
  const port = asked.rembgPort ?? (process.env.REMBG_PORT || rembgPort);
  const wantsRembg = asked.rembg ?? (asked.rembgPort !== undefined || asked.rembgHost !== undefined);
  return {
    ...(asked.role && { ROLE: asked.role }),
    ...(asked.lan && { LAN: 'true', HOST: process.env.HOST || '0.0.0.0' }),
    ...(wantsRembg && { REMBG_PORT: port }),
    ...(asked.rembgHost && { REMBG_HOST: asked.rembgHost }),
  };
}

const portTaken = (port: number | undefined): string =>
  `Port ${port} is used by another program. Stop it, or choose another port: PORT=8090 npm start`;

const listPages = (baseUrl: string): string => `
  Studio page    ${isStudioBuilt() ? `${baseUrl}/` : 'not built: run npx vite build web'}
  API reference  ${baseUrl}/docs

`;

const samplePhoto = fileURLToPath(new URL('../../samples/mug-clutter.jpg', import.meta.url));

/**
 * A welcome with the first key and, ready to be pasted into a shell, commands that upload a photo and render the
 * product on white, on green and on a transparent background.
 */
function welcome(baseUrl: string, key: string, { dataDir, database, blobs }: Config['storage']): string {
  const isInFolder = database.kind === 'sqlite' && blobs.kind === 'fs';
  const render = (
    recipe: string,
    file: string,
  ) => `curl -fsS -H "X-Api-Key: $KEY" ${baseUrl}/v1/design/${file} \\
  -d "{\\"id\\":\\"$ID\\",\\"recipeId\\":\\"${recipe}\\",\\"variant\\":\\"1:1\\"}" -o packshot-${recipe}.${file.split('.')[1]}`;
  return `
Packshot listens on ${baseUrl}. ${isInFolder ? `Its data is in ${join(dataDir, '/')}` : 'Its data is in the configured stores.'}
${listPages(baseUrl)}Your first API key, shown only this once (the service keeps only a hash of it):

KEY=${key}

To try the API, paste the line above and the lines below into another terminal; PHOTO can be your own photo:

PHOTO="${samplePhoto}"
ID=$(curl -fsS -H "X-Api-Key: $KEY" -F "file=@$PHOTO" ${baseUrl}/v1/design/image-upload | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
${render('Solid1_1_0035', 'generated.jpeg')}
${render('Solid1_1_0042', 'generated.jpeg')}
${render('Transp001', 'preview.webp')}

`;
}
