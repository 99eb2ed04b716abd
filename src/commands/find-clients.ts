/** `packshot find-clients`: lists the calls of other services in a code base. */
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type FoundCall, findCalls } from './find-clients/find-calls.ts';
import { refuseWith } from './shared/refuse.ts';

interface Options {
  readonly url: string;
  readonly json?: boolean;
}

export function addFindClients(program: Command): void {
  program
    .command('find-clients')
    .summary('List the calls of other services in a code base.')
    .description(
      'List every place in a code base that calls remove.bg, Photoroom, Clipdrop, rembg or withoutBG, with the line to change. Nothing is changed.',
    )
    .argument('<folder>', 'the code base')
    .option('--url <url>', 'address of your service', 'http://127.0.0.1:8080')
    .option('--json', 'print one JSON line per place')
    .action(list);
}

async function list(folder: string, { url, json }: Options, command: Command): Promise<void> {
  const refuse = refuseWith(command);
  if (!URL.canParse(url)) refuse(`--url ${url} is not a URL.`);
  const facts = await stat(folder).catch(() => undefined);
  if (!facts?.isDirectory()) refuse(`There is no folder ${folder}.`);
  let places = 0;
  for await (const found of findCalls(folder, url.replace(/\/+$/, ''))) {
    places++;
    console.log(json ? JSON.stringify(found) : describe(found));
  }
  if (json) return;
  console.log(places === 0 ? 'No calls found.' : places === 1 ? '1 place.' : `${places} places.`);
}

/** Minified lines are long. */
const short = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

function describe({ file, line, service, text, change, advice }: FoundCall): string {
  const changed = change === null ? [`    ${short(text)}`] : [`  - ${short(text)}`, `  + ${short(change)}`];
  return [`${file}:${line} ${service}`, ...changed, `    ${advice}`, ''].join('\n');
}
