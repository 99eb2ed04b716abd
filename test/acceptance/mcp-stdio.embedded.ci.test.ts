import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packshotProcess } from './command.ts';
import { cratePhoto, startService } from './service.ts';

const program = fileURLToPath(new URL('../../bin/packshot.js', import.meta.url));

let folder: string;
let root: string;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'packshot-mcp-')));
  root = join(folder, 'photos');
  await mkdir(root);
  await writeFile(join(root, 'crate.jpg'), await cratePhoto());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(
  words: readonly string[] = [],
  mode: 'legacy' | { pin: string } = { pin: '2026-07-28' },
  environment: Record<string, string> = {},
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--root', root, ...words],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      REMOVAL_ENGINE: 'keyer',
      RENDER_WORKERS: '1',
      SCENE_DETAIL: 'draft',
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
    stderr: 'pipe',
  });
  await client.connect(transport);
  closers.push(() => client.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
type Result = any;
const call = async (client: Client, name: string, input: Record<string, unknown>): Promise<Result> =>
  client.callTool({ name, arguments: input }, { timeout: 100_000 });
const textOf = ({ content }: Result): string => content.find(({ type }: Result) => type === 'text').text;

describe('packshot mcp', () => {
  it('opens no port for clients without a key, even if one is configured', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    closers.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    // A service that opened the port would fail to start.
    const client = await connect([], undefined, { REMBG_PORT: String(port) });
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    const made = await call(client, 'remove_background', { path: 'crate.jpg' });
    expect(made.isError ?? false).toBe(false);
  });

  it('cuts out a photo of the folder, suggests scenes and writes one, in a separate process', async () => {
    const client = await connect();
    const cut = await call(client, 'remove_background', { path: 'crate.jpg' });
    expect(cut.isError ?? false, textOf(cut)).toBe(false);
    const [file] = cut.structuredContent.files;
    expect(file).toMatchObject({ path: join(root, 'crate-cutout.png'), width: 320, height: 240 });
    expect(await sharp(await readFile(file.path)).metadata()).toMatchObject({ width: 320, hasAlpha: true });
    expect(cut.content.find(({ type }: Result) => type === 'resource_link').uri).toBe(`file://${file.path}`);

    const { designId } = cut.structuredContent;
    const suggested = await call(client, 'suggest_scenes', {
      design_id: designId,
      prompt: 'sage wall',
      count: 1,
    });
    const { scene } = suggested.structuredContent.scenes[0];
    const rendered = await call(client, 'render', {
      design_id: designId,
      scene,
      size: 'preview',
      output_path: join(root, 'scene.webp'),
      format: 'webp',
    });
    expect(rendered.structuredContent.files[0].path).toBe(join(root, 'scene.webp'));
    expect((await sharp(await readFile(join(root, 'scene.webp'))).metadata()).width).toBe(640);
  }, 120_000);

  it('serves a client of the 2025 protocol, replaces no file, and writes a picture on a color on request', async () => {
    const client = await connect([], 'legacy');
    await writeFile(join(root, 'crate-Solid1_1_0035.jpg'), 'mine');
    const made = await call(client, 'remove_background', {
      path: 'crate.jpg',
      background: '#FFFFFF',
      format: 'jpeg',
    });
    expect(made.structuredContent.files[0].path).toBe(join(root, 'crate-Solid1_1_0035-2.jpg'));
    expect(await readFile(join(root, 'crate-Solid1_1_0035.jpg'), 'utf8')).toBe('mine');
  }, 120_000);

  it('reads and writes only below its root folders, also through symbolic links', async () => {
    await writeFile(join(folder, 'secret.jpg'), await cratePhoto());
    await symlink(join(folder, 'secret.jpg'), join(root, 'link.jpg'));
    await symlink(folder, join(root, 'out'));
    await writeFile(join(root, 'note.txt'), 'no photo');
    const client = await connect();
    for (const path of [
      '../secret.jpg',
      join(folder, 'secret.jpg'),
      'link.jpg',
      '/etc/passwd',
      'out/secret.jpg',
    ]) {
      const result = await call(client, 'remove_background', { path });
      expect(result.isError, path).toBe(true);
      expect(textOf(result), path).toMatch(/outside the folders/);
    }
    expect(textOf(await call(client, 'remove_background', { path: 'missing.jpg' }))).toMatch(
      /missing\.jpg does not exist or cannot be read/,
    );
    expect(textOf(await call(client, 'remove_background', { path: '.' }))).toMatch(/not a file/);
    expect(textOf(await call(client, 'remove_background', { path: 'note.txt' }))).toMatch(
      /unsupported_image_format/,
    );
    for (const output_path of [join(folder, 'x.png'), 'out/x.png', '../x.png']) {
      const result = await call(client, 'remove_background', { path: 'crate.jpg', output_path });
      expect(textOf(result), output_path).toMatch(/outside the folders/);
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.png'))).toEqual([]);
  }, 120_000);

  it('accepts links, the home folder and JSON in strings, and gives advice about paths of the chat', async () => {
    const client = await connect();
    const linked = await call(client, 'remove_background', {
      path: pathToFileURL(join(root, 'crate.jpg')).href,
    });
    const { designId, files } = linked.structuredContent as { designId: string; files: { path: string }[] };
    const again = await call(client, 'remove_background', {
      path: pathToFileURL(files[0]!.path).href,
      background: 'white',
    });
    expect(again.isError, textOf(again)).toBeFalsy();
    const parts = JSON.stringify([{ mode: 'erase', x: 160, y: 120 }]);
    const boxes = JSON.stringify([{ mode: 'erase', x: 80, y: 60, width: 40, height: 120 }]);
    const corrected = await call(client, 'correct_cutout', { design_id: designId, boxes });
    expect(corrected.structuredContent).toMatchObject({ revision: 2 });
    const refused = await call(client, 'correct_cutout', { design_id: designId, revision: 'two', parts });
    expect(refused.isError).toBe(true);
    const undone = await call(client, 'correct_cutout', { design_id: designId, undo: 'true' });
    expect(undone.structuredContent).toMatchObject({ revision: 1 });
    const ofHome = await call(client, 'remove_background', { path: '~/no-such-photo.jpg' });
    expect(textOf(ofHome)).toMatch(/outside the folders/);
    for (const path of ['/mnt/data/a.jpg', '/mnt/user-data/uploads/a.jpg', 'sandbox:/mnt/data/a.jpg'])
      expect(textOf(await call(client, 'remove_background', { path }))).toMatch(/only the chat can read/);
    expect(textOf(await call(client, 'remove_background', { path: 'file://host/a.jpg' }))).toMatch(
      /not the link/,
    );
  }, 120_000);

  it('works with a running service, too', async () => {
    const service = await startService();
    closers.push(() => service.stop());
    const client = await connect(['--server', service.url, '--key', service.key]);
    const made = await call(client, 'render', { path: 'crate.jpg', recipe: 'Solid1_1_0035' });
    expect(made.structuredContent.files[0]).toMatchObject({
      path: join(root, 'crate-Solid1_1_0035.jpg'),
      width: 2000,
    });
    const { status } = await service.call(`/v1/design/${made.structuredContent.designId}`);
    expect(status).toBe(200);
  }, 120_000);

  it('reports an invalid command line, and exits when its input ends', async () => {
    const wrong = await packshotProcess(['mcp', '--root', join(folder, 'nowhere')]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/nowhere/);
    const ended = await packshotProcess(['mcp', '--root', root], { env: { DATA_DIR: join(folder, 'data') } });
    expect(ended.code).toBe(0);
    expect(ended.stdout.toString()).toBe('');
  });
});
