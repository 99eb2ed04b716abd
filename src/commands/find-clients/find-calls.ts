/** Finds the calls of other services in the files of a code base. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clientPatterns } from './client-patterns.ts';

export interface FoundCall {
  readonly file: string;
  /** Starting at 1. */
  readonly line: number;
  readonly service: string;
  readonly text: string;
  /** The changed line; null if the line stays, or if there is more to change. */
  readonly change: string | null;
  readonly advice: string;
}

/** Code of others, and what is made from the code. */
const skippedFolders = new Set([
  '.git',
  'node_modules',
  'vendor',
  '.venv',
  'venv',
  '__pycache__',
  'dist',
  'build',
  'target',
]);
const lockFile = /(^package-lock\.json|\.lock|-lock\.yaml)$/;
/** Larger files are data. */
const maxBytes = 1024 * 1024;

/** Yields the calls in the order of the paths. `url`: the address of the service that replaces the others. */
export async function* findCalls(folder: string, url: string): AsyncGenerator<FoundCall, void> {
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort(byName)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* findCalls(path, url);
    else if (entry.isFile() && !lockFile.test(entry.name)) yield* callsIn(path, entry.name, url);
  }
}

async function* callsIn(file: string, name: string, url: string): AsyncGenerator<FoundCall, void> {
  if ((await stat(file)).size > maxBytes) return;
  const content = await readFile(file, 'utf8');
  if (content.includes('\0')) return;
  const fill = (text: string) => text.replaceAll('{url}', url).replaceAll('{host}', new URL(url).host);
  for (const [index, line] of content.split(/\r?\n/).entries())
    for (const { service, files, call, becomes, advice } of clientPatterns) {
      if ((files && !files.test(name)) || !call.test(line)) continue;
      const change = becomes === undefined ? null : line.replace(call, () => fill(becomes)).trim();
      yield { file, line: index + 1, service, text: line.trim(), change, advice: fill(advice) };
    }
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name < other.name ? -1 : 1;
