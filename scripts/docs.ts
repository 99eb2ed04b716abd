/** Writes the documents that are made from code: openapi.json and the pages below. `--check` only compares. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { buildApp } from '../src/app.ts';
import { environmentSchema, loadConfig } from '../src/config.ts';
import { errorTable } from '../src/errors.ts';
import { promptWordsPage } from './docs/prompt-words-page.ts';

const root = new URL('../', import.meta.url);

const documents: Record<string, () => Promise<string> | string> = {
  'openapi.json': apiDocument,
  'docs/errors.md': errorsPage,
  'docs/configuration.md': configurationPage,
  'docs/prompt-words.md': promptWordsPage,
};

/** As a service of its own answers it. */
async function apiDocument(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-docs-'));
  const app = await buildApp(
    loadConfig({ DATA_DIR: dataDir, PORT: '0', REMOVAL_ENGINE: 'keyer', LOG_LEVEL: 'silent' }),
  );
  try {
    const response = await fetch(`${await app.listen()}/openapi.json`);
    return `${JSON.stringify(await response.json(), null, 2)}\n`;
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, title, retryable }]) =>
      `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : ''} |`,
  );
  return `# Errors

Made by \`npm run docs\` from \`src/errors.ts\`. Every failure is a problem document (RFC 9457,
\`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`requestId\`, and for bad fields
\`errors[] {pointer, code, detail, in?}\`. Never an image on failure, never 200 with an error. What may succeed later
carries \`Retry-After\`.

| Status | \`code\` | Meaning | Retry |
|---|---|---|---|
${rows.join('\n')}
`;
}

function configurationPage(): string {
  const defaults = environmentSchema.parse({});
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const meaning = z.globalRegistry.get(schema)?.description ?? '';
    return `| \`${name}\` | ${showDefault(name, defaults[name as keyof typeof defaults])} | ${meaning} |`;
  });
  return `# Configuration

Made by \`npm run docs\` from \`src/config.ts\`. All of it comes from the environment; a value that does not fit stops
the start with a line that says why.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}

function showDefault(name: string, value: unknown): string {
  // These follow the machine, and the page must not.
  if (['DIFFUSION_THREADS', 'REMOVAL_THREADS', 'RENDER_WORKERS'].includes(name)) return 'cores, at most 4';
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return `\`${value}\``;
}

let stale = 0;
for (const [path, make] of Object.entries(documents)) {
  const file = new URL(path, root);
  const text = await make();
  if (process.argv.includes('--check')) {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
    console.error(`${path} is not what the code says; run npm run docs`);
    stale++;
  } else {
    await writeFile(file, text);
    console.log(`wrote ${path}`);
  }
}
if (stale > 0) process.exitCode = 1;
