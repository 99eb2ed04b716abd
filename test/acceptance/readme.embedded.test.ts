import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { type Service, startLocalService } from './service.ts';

const run = promisify(execFile);
function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const hasCurl = succeeds('curl', ['--version']);

/** The other languages of the API guide: how to run their programs, and whether the interpreter exists. */
const languages = [
  { name: 'JavaScript', fence: 'js', file: 'guide.mjs', command: process.execPath, probe: ['--version'] },
  {
    name: 'Python with Requests',
    fence: 'python',
    file: 'guide.py',
    command: 'python3',
    probe: ['-c', 'import requests'],
  },
  {
    name: 'PHP with curl',
    fence: 'php',
    file: 'guide.php',
    command: 'php',
    probe: ['-r', "exit(function_exists('curl_init') ? 0 : 1);"],
  },
]
  // All languages make the same calls; outside CI, one of them is enough.
  .filter(({ fence }) => fence === 'js' || process.env.CI)
  .map((language) => ({ ...language, isThere: succeeds(language.command, language.probe) }));
const missing = languages.filter(({ isThere }) => !isThere).map(({ name }) => name);
if (missing.length > 0)
  process.stdout.write(`Not all programs of the API guide run here: there is no ${missing.join(', no ')}.\n`);

const optimized = 'data/golden-cache';
let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-readme-'));
  // Optimizing the model takes seconds, so use a copy of the optimized model that the golden tests keep. The service in
  // `package.embedded.ci.test.ts` starts without such a copy.
  if (existsSync(optimized)) await cp(optimized, join(folder, 'data/models'), { recursive: true });
  // Settings of a newcomer: the real model, though in its fastest mode, and a key that the first start creates.
  const environment = { REMOVAL_ENGINE: 'isnet', REMOVAL_QUALITY: 'fast', BOOTSTRAP_API_KEY: '' };
  service = await spawnService(join(folder, 'data'), environment);
}, 60_000);
afterAll(async () => {
  await endProcess(service.child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

/** The commands that the first start prints, beginning with the line of the key. */
const printed = () => /^KEY=.*$|^PHOTO=[\s\S]*?-o packshot-Transp001\.webp$/gm;

// Both tests run curl commands.
describe.skipIf(!hasCurl)('the commands that a newcomer pastes', () => {
  it('from the output of the first start work unchanged, and produce pictures', async () => {
    const script = service.output().match(printed())!.join('\n');
    await run('bash', ['-e', '-c', script], { cwd: folder });
    const white = await sharp(join(folder, 'packshot-Solid1_1_0035.jpeg')).metadata();
    expect(white).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
    expect(await sharp(join(folder, 'packshot-Transp001.webp')).metadata()).toMatchObject({
      format: 'webp',
      channels: 4,
    });
  }, 120_000);

  it('from the README produce pictures with the printed key', async () => {
    const readme = await readFile('README.md', 'utf8');
    const block = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, text]) => text!)
      .filter((text) => text.includes('curl'))
      .join('\n');
    const key = /KEY=(psk_live_\w+)/.exec(service.output())![1]!;
    const script = block
      .replace('psk_live_…', key)
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replaceAll('samples/', `${resolve('samples')}/`);
    await run('bash', ['-e', '-c', script], { cwd: folder });
    for (const [file, format, width] of [
      ['mug.png', 'png', 2000],
      ['packshot.jpeg', 'jpeg', 2000],
    ] as const) {
      expect(await sharp(join(folder, file)).metadata(), file).toMatchObject({ format, width });
    }
  }, 120_000);
});

describe('the API guide and the examples', () => {
  let guided: Service;
  /** The guide's code blocks in a language, ready to run beside `mug.jpg` and `table.jpg`. */
  async function readGuide(language: string): Promise<string[]> {
    const guide = await readFile('docs/api.md', 'utf8');
    return [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
      .filter(([, name]) => name === language)
      .map(([, , text]) =>
        text!.replaceAll('psk_live_…', guided.key).replaceAll('http://127.0.0.1:8080', guided.url),
      );
  }

  beforeAll(async () => {
    // This service uses `keyer`, a fast engine without a model: the guide is about the calls, and the tests above have
    // already used the model.
    guided = await startLocalService();
    await copyFile('samples/mug-white.jpg', join(folder, 'mug.jpg'));
    await copyFile('samples/chair-room.jpg', join(folder, 'table.jpg'));
    await mkdir(join(folder, 'photos'));
    for (const name of ['one', 'two'])
      await copyFile('samples/mug-white.jpg', join(folder, `photos/${name}.jpg`));
  });
  afterAll(() => guided.stop());

  // The guide's commands need curl, and draw full scenes, which takes long: only in CI.
  it.skipIf(!hasCurl || !process.env.CI)(
    'has commands that work unchanged, one after the other',
    async () => {
      const script = (await readGuide('sh')).join('\n');
      await run('bash', ['-e', '-c', script], { cwd: folder });
      for (const [file, format, width, height] of [
        ['white.jpg', 'jpeg', 2000, 2000],
        ['cutout.png', 'png', 2000, 1500],
        ['scene.webp', 'webp', 512, 640],
        ['scene.jpg', 'jpeg', 1600, 2000],
        ['on-table.jpg', 'jpeg', 1600, 2000],
      ] as const) {
        // Read first: sharp caches files by name, also across tests.
        const picture = await readFile(join(folder, file));
        expect(await sharp(picture).metadata(), file).toMatchObject({ format, width, height });
      }
    },
    180_000,
  );

  for (const { name, fence, file, command, isThere } of languages) {
    it.skipIf(!isThere)(
      `has a program in ${name} that works unchanged`,
      async () => {
        const [script] = await readGuide(fence);
        await writeFile(join(folder, file), script!);
        await rm(join(folder, 'white.jpg'), { force: true });
        await run(command, [file], { cwd: folder });
        const picture = await readFile(join(folder, 'white.jpg'));
        expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 2000 });
      },
      120_000,
    );
  }

  /** Runs a program beside `photos/`, as a user of the examples does. */
  const runExample = (command: string, args: readonly string[], more: Record<string, string> = {}) =>
    run(command, args, {
      cwd: folder,
      env: { ...process.env, PACKSHOT_URL: guided.url, PACKSHOT_API_KEY: guided.key, ...more },
    });
  const sizeOf = async (file: string) => {
    const { format, width, height } = await sharp(await readFile(join(folder, file))).metadata();
    return [format, width, height];
  };
  const white = ['jpeg', 2000, 2000];
  const hasProgram = (name: string) => languages.find(({ fence }) => fence === name)?.isThere ?? false;

  it.skipIf(!hasProgram('php'))('have a program in PHP for a marketplace', async () => {
    await runExample('php', [resolve('examples/white.php'), 'photos/one.jpg', 'listing.jpg']);
    expect(await sizeOf('listing.jpg')).toEqual(white);
    const failed = runExample('php', [resolve('examples/white.php'), 'mug.txt', 'none.jpg']);
    await expect(failed).rejects.toThrow();
  });

  it.skipIf(!hasProgram('python'))('have a batch in Python', async () => {
    const { stdout } = await runExample('python3', [resolve('examples/batch.py'), 'photos', 'photos.zip']);
    expect(stdout).toContain('2 of 2 pictures in photos.zip');
    expect((await readFile(join(folder, 'photos.zip'))).subarray(0, 2).toString()).toBe('PK');
  });

  it('have a route for Next.js, which keeps the key on the server', async () => {
    vi.stubEnv('PACKSHOT_URL', guided.url);
    vi.stubEnv('PACKSHOT_API_KEY', guided.key);
    const { POST } = await import('../../examples/nextjs/app/api/packshot/route.ts');
    const send = (photo: Blob | string) => {
      const body = new FormData();
      body.append('photo', photo);
      return POST(new Request('http://shop.example/api/packshot', { method: 'POST', body }));
    };
    const picture = await send(new Blob([await readFile('samples/mug-white.jpg')]));
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect((await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).width).toBe(2000);
    expect((await send('no file')).status).toBe(400);
    expect((await send(new Blob(['no picture']))).status).toBe(415);
  });

  it('have a workflow for n8n, whose call returns the cutout', async () => {
    const { nodes, connections } = JSON.parse(await readFile('examples/n8n.json', 'utf8'));
    const names = nodes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
    const { parameters } = nodes.find(({ type }: { type: string }) => type.endsWith('.httpRequest'));
    const body = new FormData();
    for (const { name, value } of parameters.bodyParameters.parameters)
      body.append(name, value ?? new Blob([await readFile('samples/mug-white.jpg')]));
    const url = parameters.url.replace('={{ $env.PACKSHOT_URL }}', guided.url);
    const { method } = parameters;
    const response = await fetch(url, { method, body, headers: { 'X-Api-Key': guided.key } });
    const cutout = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(cutout).toMatchObject({ format: 'png', hasAlpha: true });
  });

  it.skipIf(!hasCurl || !succeeds('jq', ['--version']))(
    'have a workflow for GitHub Actions, which makes only new pictures',
    async () => {
      const { jobs } = parse(await readFile('examples/github-action.yml', 'utf8'));
      const [, make, commit] = jobs.pictures.steps;
      const git = (...args: string[]) =>
        runExample('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
      await git('init', '--quiet');
      await git('add', 'photos');
      await git('commit', '--quiet', '-m', 'photos');
      const step = ({ run: script }: { run: string }) =>
        runExample('bash', ['-eo', 'pipefail', '-c', script.replace('git push', 'true')]);
      await step(make);
      expect(await sizeOf('pictures/two.jpg')).toEqual(white);
      await step(commit);
      expect((await git('log', '--format=%s')).stdout).toBe('Make product pictures\nphotos\n');
      await rm(join(folder, 'pictures/two.jpg'));
      await step(make);
      await expect(sizeOf('pictures/two.jpg')).rejects.toThrow('ENOENT');
    },
  );

  it('have a page that compares cutouts with earlier ones', async () => {
    await mkdir(join(folder, 'theirs'));
    await copyFile('samples/mug-white.jpg', join(folder, 'theirs/one.png'));
    await runExample(process.execPath, [resolve('examples/compare.mjs'), 'photos', 'theirs']);
    const page = await readFile(join(folder, 'compare.html'), 'utf8');
    expect([page.match(/<tr>/g)?.length, page.match(/<img/g)?.length, page.match(/>none</g)?.length]).toEqual(
      [3, 2 * 4 + 3, 3],
    );
  });
});
