import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';

const run = promisify(execFile);
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-readme-'));
  // As a newcomer gets it: the real model, and a key that the first start makes.
  service = await spawnService(join(folder, 'data'), { REMOVAL_ENGINE: 'isnet', BOOTSTRAP_API_KEY: '' });
}, 60_000);
afterAll(async () => {
  await endProcess(service.child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

/** The command lines that the first start prints, from the key on. */
const printed = () => /^KEY=.*$|^PHOTO=[\s\S]*?-o packshot-Transp001\.webp$/gm;

// Without curl there is nothing to paste into: both blocks are curl commands.
describe.skipIf(!hasCurl)('what a newcomer pastes', () => {
  it('the printed lines, as they are, give pictures', async () => {
    const script = service.output().match(printed())!.join('\n');
    await run('bash', ['-e', '-c', script], { cwd: folder });
    const white = await sharp(join(folder, 'packshot-Solid1_1_0035.jpeg')).metadata();
    expect(white).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
    expect(await sharp(join(folder, 'packshot-Transp001.webp')).metadata()).toMatchObject({
      format: 'webp',
      channels: 4,
    });
  }, 120_000);

  it("the README's lines, with the printed key, give pictures", async () => {
    const readme = await readFile('README.md', 'utf8');
    const block = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, text]) => text!)
      .filter((text) => text.startsWith('KEY=') || text.includes('/suggest'))
      .join('\n');
    const key = /KEY=(psk_live_\w+)/.exec(service.output())![1]!;
    const script = block
      .replace('psk_live_…', key)
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replace('samples/', `${resolve('samples')}/`);
    await run('bash', ['-e', '-c', script], { cwd: folder });
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['packshot.jpeg', 'packshot.webp']));
    expect(await sharp(join(folder, 'packshot.jpeg')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 2000,
    });
    for (const [file, format, width] of [
      ['scene.webp', 'webp', 640],
      ['scene.jpeg', 'jpeg', 2000],
    ] as const) {
      expect(await sharp(join(folder, file)).metadata(), file).toMatchObject({ format, width });
    }
  }, 120_000);
});

describe('the documents', () => {
  it('link to nothing that is not there', async () => {
    const pages = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'THIRD_PARTY.md',
      'samples/README.md',
      'SECURITY.md',
    ];
    for (const name of await readdir('docs')) if (name.endsWith('.md')) pages.push(join('docs', name));
    for (const page of pages) {
      const text = await readFile(page, 'utf8');
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        const path = join(dirname(page), target!);
        await expect(readFile(path), `${page} links to ${target}`).resolves.toBeDefined();
      }
    }
  });
});
