/** The cutouts of Packshot as a library: `openCutter`, and `removeBackground` for projects that call IMG.LY's. */
import { readFile } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';
import { PackshotError } from 'packshot-errors';
import { limitsOfStored, ofAnySize, readImage, sniffFormat } from 'packshot-photos';
import sharp from 'sharp';
import { cutPhoto } from './src/cut-photo.ts';
import { createPassPace } from './src/passes/pass-pace.ts';
import type { RemovalEngine } from './src/removal-engine.ts';

export interface CutterOptions {
  /**
   * `isnet` (default): the included network. `keyer`: no network, for products on a plain backdrop. Or the path of an
   * `.onnx` file, with its description beside it as `.json` (docs/engines.md), or of your own engine, as `.mjs` or `.js`.
   */
  readonly model?: string;
  /**
   * `quality`: further passes over difficult areas, and fur; default for networks. `fast`: one pass for most photos;
   * default for `keyer`.
   */
  readonly quality?: 'fast' | 'quality';
  /** CPU threads of a pass, at least 1. Default: one a core, at most 4. */
  readonly threads?: number;
  /** Folder for optimized copies of the network. Default: that of `packshot remove`. */
  readonly cacheDir?: string;
  /** A photo with more pixels is refused. Default: 100 million, but 50 million for AVIF, which needs more memory. */
  readonly maxPixels?: number;
}

/** A photo's bytes: JPEG, PNG, WebP, AVIF, HEIC, TIFF or GIF. */
export type PhotoBytes = Uint8Array | ArrayBuffer | Blob;

export interface CutOptions {
  /** Rejects the call with the signal's reason; work that has begun ends at its next step. */
  readonly signal?: AbortSignal;
  /** Default: that of the cutter. */
  readonly quality?: 'fast' | 'quality';
  /** What the photo's own transparency means: `keep` takes it as the cutout. Default: `auto`, which looks. */
  readonly alpha?: 'auto' | 'ignore' | 'keep';
}

export interface CutoutBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Subject {
  /** In pixels. Contains every pixel with at least 3 % coverage. */
  readonly boundingBox: CutoutBox;
  /** Share of the photo that the product covers, 0 to 1. */
  readonly coverage: number;
  /** Probability, 0 to 1, that nothing is missing and nothing else is included. */
  readonly confidence: number;
  /** Sides of the photo that crop the product. */
  readonly touchesEdges: readonly ('top' | 'right' | 'bottom' | 'left')[];
  /** What to look at, with advice for the person who took the photo. `better_uncut` comes only from the service. */
  readonly issues: readonly {
    readonly code:
      | 'better_uncut'
      | 'uncertain_outline'
      | 'touches_frame'
      | 'several_parts'
      | 'small_subject'
      | 'low_resolution';
    readonly detail: string;
    readonly box?: CutoutBox;
  }[];
}

export interface Cutout {
  readonly width: number;
  readonly height: number;
  /** PNG with straight alpha, sRGB, as large as the upright photo; the old backdrop's color is gone from the edge. */
  readonly png: Uint8Array;
  /** Gray PNG of the same size: 255 is product. */
  readonly matte: Uint8Array;
  readonly subject: Subject;
}

export interface Cutter {
  /**
   * Cuts the product out. Calls wait for each other. Rejects with a `CutoutError`, or with the signal's reason. Most of the
   * work runs on the calling thread; a server should open the cutter in a worker thread, and close it before that thread
   * ends (docs/decisions/0002).
   */
  cut(photo: PhotoBytes, options?: CutOptions): Promise<Cutout>;
  /** Ends after the calls that are waiting, and frees the network's memory. */
  close(): Promise<void>;
}

/** An error about the photo has one of these codes; any other is a fault of the installation or of the library. */
export interface CutoutError extends Error {
  readonly code:
    | 'no_subject_found'
    | 'unsupported_image_format'
    | 'image_undecodable'
    | 'image_too_small'
    | 'image_too_large'
    | 'internal'
    | (string & {});
}

/** Loads the network, which takes about a second after the first time. Rejects with a `CutoutError`. */
export async function openCutter({
  model = 'isnet',
  quality = model === 'keyer' ? 'fast' : 'quality',
  threads = Math.min(4, availableParallelism()),
  cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'packshot/models'),
  maxPixels,
}: CutterOptions = {}): Promise<Cutter> {
  const engine = await openEngine(model, { threads, cacheDir });
  const limits = {
    ...limitsOfStored,
    maxPixels: maxPixels ?? 100_000_000,
    maxAvifPixels: maxPixels ?? 50_000_000,
    minSidePx: 16,
  };
  const pace = createPassPace();
  const calls = new PQueue({ concurrency: 1 });

  async function cut(
    photo: PhotoBytes,
    { signal = neverAborted, alpha, quality: mode = quality }: CutOptions,
  ): Promise<Cutout> {
    signal.throwIfAborted();
    const bytes = await toReadable(await bytesOf(photo), limits);
    signal.throwIfAborted();
    const source = await readImage(bytes, limits, alpha);
    signal.throwIfAborted();
    const made = await cutPhoto(source, engine, { signal, mode, pace, alpha });
    const { boundingBox, coverage, confidence, touchesEdges, issues } = made.subject;
    return {
      width: source.width,
      height: source.height,
      png: made.cutoutPng,
      matte: made.mattePng,
      subject: { boundingBox, coverage, confidence, touchesEdges, issues },
    };
  }

  let closing: Promise<void> | undefined;
  return {
    async cut(photo, options = {}) {
      if (closing) throw new PackshotError('internal', 'The cutter is closed.');
      return orAbort(
        calls.add(() => cut(photo, options)),
        options.signal,
      );
    },
    close() {
      closing ??= calls.onIdle().then(() => engine.close());
      return closing;
    },
  };
}

/** Imports only the engine that is used. */
async function openEngine(
  model: string,
  session: { readonly threads: number; readonly cacheDir: string },
): Promise<RemovalEngine> {
  if (model === 'keyer') return (await import('./src/engines/keyer.ts')).openKeyer();
  if (model === 'isnet') return (await import('./src/engines/isnet.ts')).openIsnet(session);
  if (/\.m?js$/.test(model))
    return (await import('./src/engines/module.ts')).openModule({ file: resolve(model) });
  const { openOnnx } = await import('./src/engines/onnx.ts');
  return openOnnx({ ...session, modelFile: resolve(model) });
}

/** Rejects as soon as the signal aborts; the work itself keeps its place in the line until it has ended. */
async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}

const neverAborted = new AbortController().signal;

async function bytesOf(photo: PhotoBytes): Promise<Uint8Array> {
  if (photo instanceof Blob) return new Uint8Array(await photo.arrayBuffer());
  return photo instanceof Uint8Array ? photo : new Uint8Array(photo);
}

async function toReadable(bytes: Uint8Array, limits: typeof limitsOfStored): Promise<Uint8Array> {
  if (sniffFormat(bytes) !== 'heic') return bytes;
  const { convertHeic } = await import('packshot-photos/heic');
  return convertHeic(bytes, ofAnySize(limits));
}

/** A path, a `file:`, `http:`, `https:` or `data:` URL, or bytes. */
export type ImageSource = string | URL | PhotoBytes;

/**
 * The options of `@imgly/background-removal-node`. Its `publicPath`, `debug`, `proxyToWorker` and `fetchArgs`, which concern
 * the loading of its model, are accepted and ignored.
 */
export interface RemoveBackgroundConfig {
  /** `small` makes one pass over most photos; `medium` (default) and `large` make as many as the photo needs. */
  model?: 'small' | 'medium' | 'large';
  output?: {
    /** Default: `image/png`. A JPEG has a white background; `image/x-alpha8` is the matte, a byte for each pixel. */
    format?: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/x-rgba8' | 'image/x-alpha8';
    /** 0 to 1, for JPEG and WebP. Default: 0.8. */
    quality?: number;
  };
  /** Called with `compute:inference` before and after the work. */
  progress?: (key: string, current: number, total: number) => void;
  // biome-ignore lint/suspicious/noExplicitAny: the type of the replaced library
  fetchArgs?: any;
  publicPath?: string;
  debug?: boolean;
  proxyToWorker?: boolean;
}

export type Config = RemoveBackgroundConfig;

let shared: Promise<Cutter> | undefined;

/**
 * As `removeBackground` of `@imgly/background-removal-node` 1.4.5: the picture without its background, at the photo's size.
 * The network is loaded at the first call and stays loaded. Rejects with a `CutoutError`, or with an error of reading the
 * source.
 */
export async function removeBackground(
  source: ImageSource,
  { model = 'medium', output = {}, progress }: RemoveBackgroundConfig = {},
): Promise<Blob> {
  const bytes = await readSource(source);
  progress?.('compute:inference', 0, 1);
  const cutout = await (await openShared()).cut(bytes, { quality: model === 'small' ? 'fast' : 'quality' });
  progress?.('compute:inference', 1, 1);
  return encode(cutout, output);
}

function openShared(): Promise<Cutter> {
  shared ??= openCutter();
  const opening = shared;
  opening.catch(() => {
    shared = undefined;
  });
  return opening;
}

async function readSource(source: ImageSource): Promise<PhotoBytes> {
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  // One letter before a colon is a drive of Windows.
  if (typeof source === 'string' && !/^[a-z][a-z\d+.-]+:/i.test(source)) return readFile(source);
  const url = new URL(source);
  if (url.protocol === 'file:') return readFile(fileURLToPath(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.origin} responded with ${response.status}.`);
  return response.arrayBuffer();
}

async function encode(
  { png, matte, width, height }: Cutout,
  { format = 'image/png', quality = 0.8 }: NonNullable<RemoveBackgroundConfig['output']>,
): Promise<Blob> {
  const percent = Math.round(Math.min(1, Math.max(0.01, quality)) * 100);
  const blob = (bytes: Uint8Array, type: string = format) => new Blob([new Uint8Array(bytes)], { type });
  const raw = `${format};width=${width};height=${height}`;
  switch (format) {
    case 'image/png':
      return blob(png);
    case 'image/jpeg':
      return blob(await sharp(png).flatten({ background: 'white' }).jpeg({ quality: percent }).toBuffer());
    case 'image/webp':
      return blob(await sharp(png).webp({ quality: percent }).toBuffer());
    case 'image/x-rgba8':
      return blob(await sharp(png).ensureAlpha().raw().toBuffer(), raw);
    case 'image/x-alpha8':
      return blob(await sharp(matte).extractChannel(0).raw().toBuffer(), raw);
    default:
      format satisfies never;
      throw new TypeError(`output.format: "${format}" is not a supported format.`);
  }
}
