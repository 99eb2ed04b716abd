/**
 * Services for test files, which use them over HTTP. A file that passes settings starts a service in this process.
 * Other files share a running service: the one at BASE_URL if API_KEY is set, too, or one that the test run started. In
 * the setting `scaled`, a service consists of api parts and worker parts that use PostgreSQL and S3.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type App, buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { checkDocumented } from './documented.ts';
import {
  fleetFolderName,
  fleetUrlName,
  makeOwnStores,
  settingsFile,
  sharedFolderName,
  sharedUrlName,
} from './fleet.ts';

export interface Service {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  /** `fetch` with the key; a plain object as `json` becomes the body. */
  call(path: string, options?: CallOptions): Promise<Response>;
  /** Uploads and returns the id. */
  upload(photo: Buffer): Promise<string>;
  stop(): Promise<void>;
}

export type Body = NonNullable<RequestInit['body']>;

interface CallOptions extends RequestInit {
  readonly json?: unknown;
  /** Replaces the service's key; null sends none. */
  readonly key?: string | null;
}

export const testKey = 'a-key-for-acceptance-tests-only';

/**
 * Settings that keep tests fast and independent of the machine: no rate limit, no weights, draft scenes, long
 * deadlines.
 */
export const testEnvironment: Record<string, string> = {
  HOST: '127.0.0.1',
  PORT: '0',
  REMOVAL_ENGINE: 'keyer',
  BOOTSTRAP_API_KEY: testKey,
  RATE_PER_SECOND: '1000',
  RATE_BURST: '1000',
  MAX_IN_FLIGHT: '1000',
  PREVIEW_DEADLINE_MS: '60000',
  FULL_DEADLINE_MS: '60000',
  RENDER_WORKERS: '1',
  SCENE_DETAIL: 'draft',
  LOG_LEVEL: 'silent',
};

/** Settings of the deployment that many tests share. */
export const fleetEnvironment: Record<string, string> = { ...testEnvironment, DRAW_AHEAD: 'off' };

/** Whether the setting `scaled` applies; `vitest.config.ts` runs the same tests with and without this setting. */
export const isScaled = process.env.PACKSHOT_TEST_SETTING === 'scaled';

/**
 * Without settings of its own, a file uses the service that all such files share, because starting and warming up a
 * service takes longer than most files.
 */
export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const running = Object.keys(environment).length === 0 ? findRunning() : undefined;
  if (!running) return startOwnService(environment);
  const { url, key, dataDir } = running;
  return { ...client(url, key), dataDir, stop };
}

/** Stops nothing: a shared service is stopped at the end of the run. */
const stop = async () => undefined;

/** The shared service, but never a remote one: for files that also use its data folder. */
export async function startLocalService(): Promise<Service> {
  const running = findLocal();
  return running ? { ...client(running.url, testKey), dataDir: running.dataDir, stop } : startOwnService();
}

/** A service without any other file's designs, keys or events. */
export async function startOwnService(environment: Record<string, string> = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const base = { ...testEnvironment, DATA_DIR: dataDir };
  const stores = isScaled ? await makeOwnStores() : {};
  await writeFile(join(dataDir, settingsFile), JSON.stringify(stores));
  const apps = isScaled
    ? await startParts({ ...base, ...stores, ...environment })
    : [await buildApp(loadConfig({ ...base, ...environment }))];
  const url = await apps[0]!.listen();
  await Promise.all(apps.map((app) => app.ready));
  return {
    ...client(url, testKey),
    dataDir,
    stop: async () => {
      await Promise.all(apps.map((app) => app.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function findRunning(): { url: string; key: string; dataDir: string } | undefined {
  const { BASE_URL, API_KEY } = process.env;
  return !isScaled && BASE_URL && API_KEY ? { url: BASE_URL, key: API_KEY, dataDir: '' } : findLocal();
}

function findLocal(): { url: string; key: string; dataDir: string } | undefined {
  const [urlName, folderName] = isScaled
    ? [fleetUrlName, fleetFolderName]
    : [sharedUrlName, sharedFolderName];
  const url = process.env[urlName];
  return url ? { url, key: testKey, dataDir: process.env[folderName]! } : undefined;
}

/** Settings for a command that uses the same data as the service with this folder. */
export function settingsOf(dataDir: string): Record<string, string> {
  const file = join(dataDir, settingsFile);
  return { DATA_DIR: dataDir, ...(existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))) };
}

/** Starts an api part and a worker part in this process. They communicate only through PostgreSQL and S3. */
async function startParts(environment: Record<string, string>): Promise<App[]> {
  // The AWS SDK reads these variables from the environment itself.
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
  const apps: App[] = [];
  // A worker prerenders even with a single imaging process. Turn that off, as in an all-in-one service.
  const settings = { ...(environment.RENDER_WORKERS === '1' && { DRAW_AHEAD: 'off' }), ...environment };
  for (const ROLE of ['api', 'worker']) apps.push(await buildApp(loadConfig({ ...settings, ROLE })));
  return apps;
}

export function client(url: string, key: string): Pick<Service, 'url' | 'key' | 'call' | 'upload'> {
  async function call(
    path: string,
    { json, key: ownKey = key, ...init }: CallOptions = {},
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    if (ownKey !== null) headers.set('x-api-key', ownKey);
    const method = init.method ?? (json === undefined ? 'GET' : 'POST');
    const response = await fetch(url + path, {
      ...init,
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    await checkDocumented(method, path, response);
    return response;
  }
  return {
    url,
    key,
    call,
    async upload(photo) {
      const response = await call('/v1/design/image-upload', { method: 'POST', body: formWith(photo) });
      if (response.status !== 200) throw new Error(`upload: ${response.status} ${await response.text()}`);
      const { id } = (await response.json()) as { id: string };
      return id;
    },
  };
}

export function formWith(photo: Buffer, field = 'file', name = 'photo.jpg'): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(photo)]), name);
  return form;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

/** The problem document of a response, after checking the invariants of all problem documents. */
export async function problemOf(response: Response): Promise<Problem> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json'))
    throw new Error(`${response.status} is not a problem document but ${type}`);
  const problem = (await response.json()) as Problem;
  if (problem.status !== response.status) throw new Error(`says ${problem.status}, is ${response.status}`);
  if (problem.requestId !== response.headers.get('x-request-id')) throw new Error('request ids differ');
  if ([429, 503, 504, 507].includes(response.status) && !response.headers.get('retry-after')) {
    throw new Error(`${response.status} without Retry-After`);
  }
  return problem;
}

/** A photo that the `keyer` can cut out: a dark red crate on plain paper. */
export function cratePhoto({
  width = 320,
  height = 240,
  paper = '#e8e6e2',
  format = 'jpeg' as 'jpeg' | 'png',
} = {}) {
  const crate = {
    create: { width: width >> 1, height: height >> 1, channels: 3 as const, background: '#7a1f1f' },
  };
  return sharp({ create: { width, height, channels: 3, background: paper } })
    .composite([{ input: crate, left: width >> 2, top: height >> 2 }])
    .toFormat(format, { quality: 92 })
    .toBuffer();
}

/**
 * Center and size of the crate in a picture, as shares of the picture; `pixels` is the share of crate-colored pixels.
 * Specks of that color elsewhere, as in the shade of a clay pot, do not change center and size.
 */
export function findCrate({ data, width, height, channels }: Awaited<ReturnType<typeof pixelsOf>>) {
  const columns = new Uint32Array(width);
  const rows = new Uint32Array(height);
  let count = 0;
  for (let i = 0; i < width * height; i++) {
    const at = channels * i;
    if (Math.abs(data[at]! - 0x7a) + Math.abs(data[at + 1]! - 0x1f) + Math.abs(data[at + 2]! - 0x1f) > 24)
      continue;
    columns[i % width]!++;
    rows[Math.floor(i / width)]!++;
    count++;
  }
  const [left, right] = findSpan(columns);
  const [top, bottom] = findSpan(rows);
  return {
    x: (left + right + 1) / 2 / width,
    y: (top + bottom + 1) / 2 / height,
    width: (right - left + 1) / width,
    height: (bottom - top + 1) / height,
    pixels: count / (width * height),
  };
}

/** First and last of the lines that have at least a quarter of the pixels of the fullest line. */
function findSpan(counts: Uint32Array): readonly [number, number] {
  const least = Math.max(1, Math.max(...counts) / 4);
  return [counts.findIndex((count) => count >= least), counts.findLastIndex((count) => count >= least)];
}

/** A crate on paper in a transparent margin: the paper covers .73 of the picture, the crate .25. */
export async function cratePhotoInMargin(): Promise<Buffer> {
  const shape = '<svg width="320" height="240"><rect x="20" y="20" width="280" height="200"/></svg>';
  return sharp(await cratePhoto())
    .ensureAlpha()
    .composite([{ input: Buffer.from(shape), blend: 'dest-in' }])
    .png()
    .toBuffer();
}

/** Plain paper without a product. */
export function emptyPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 320, height: 240, channels: 3, background: '#e8e6e2' } })
    .jpeg()
    .toBuffer();
}

/** An answer's JSON, which the assertions check. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
export async function jsonOf(response: Response | Promise<Response>): Promise<any> {
  return (await response).json();
}

export const white = { recipeId: 'Solid1_1_0035', variant: '1:1' };
export const green = { recipeId: 'Solid1_1_0042', variant: '1:1' };
export const transparent = { recipeId: 'Transp001', variant: '1:1' };

export async function pixelsOf(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { bytes, data, ...info, metadata: await sharp(bytes).metadata() };
}
