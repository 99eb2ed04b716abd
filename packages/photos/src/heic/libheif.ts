/**
 * Calls libheif's C functions in WebAssembly. The package's own JavaScript API exposes neither color profiles nor
 * limits, and prints errors instead of returning them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import instantiate from 'libheif-js/libheif-wasm/libheif.js';

/** Addresses and C integers are both numbers. */
type CFunction = (...values: readonly number[]) => number;

interface Wasm extends Record<`_${string}`, CFunction> {
  readonly HEAPU8: Uint8Array;
}

interface HeicLimits {
  readonly maxPixels: number;
  /** Maximum memory that libheif may allocate in total. */
  readonly maxMemoryBytes: number;
}

export class HeifError extends Error {
  override readonly name = 'HeifError';
  /** A `heif_error_code`, as defined in libheif's heif_error.h. */
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const heifErrors = { unsupportedFile: 3, unsupportedFeature: 4, memory: 6 } as const;

/** A color space, declared by code points (ITU-T H.273) or by an ICC profile. */
export type HeicColor =
  | { readonly kind: 'none' }
  | { readonly kind: 'icc'; readonly profile: Uint8Array }
  | { readonly kind: 'code points'; readonly primaries: number; readonly transfer: number };

// heif_colorspace_RGB, heif_chroma_interleaved_RGB and _RGBA, heif_channel_interleaved (heif_image.h, heif_color.h).
const RGB = 1;
const CHROMA = { 3: 10, 4: 11 } as const;
const INTERLEAVED = 10;
/** Bytes of the struct `heif_image_tiling` (heif_tiling.h): eight fields of four bytes, and those for more dimensions. */
const TILING_BYTES = 128;
/** Version of the struct `heif_security_limits` that is written below; the version is the struct's first field. */
const KNOWN_LIMITS = 4;
/** Maximum bytes of an ICC profile. iPhones write at most 32 kB; print profiles reach a megabyte. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** Maximum tiles of a grid. With 512 px tiles, a grid has 48 tiles at 12 megapixels, and 200 at 50. */
const MAX_TILES = 16_384;

/** A new instance for each picture: the memory of a picture ends with its instance. */
function load(): Wasm {
  const file = createRequire(import.meta.url).resolve('libheif-js/libheif-wasm/libheif.wasm');
  // The binary is already in memory, so the module is ready synchronously.
  const start = instantiate as unknown as (options: { readonly wasmBinary: Uint8Array }) => Wasm;
  return start({ wasmBinary: readFileSync(file) });
}

/**
 * Opens the file's primary picture, which is not always the first. Frees nothing itself: see
 * `load`. Throws `HeifError`.
 */
export function openHeic(bytes: Uint8Array, limits: HeicLimits) {
  const wasm = load();
  const view = () => new DataView(wasm.HEAPU8.buffer);
  const u32 = (at: number) => view().getUint32(at, true);
  const result = wasm._malloc!(12);
  const out = wasm._malloc!(4);

  /** libheif's functions write `heif_error {code, subcode, message}` to the address in their first argument. */
  function call(name: `_${string}`, ...values: readonly number[]): void {
    wasm[name]!(result, ...values);
    const code = u32(result);
    if (code !== 0) throw new HeifError(code, readText(wasm.HEAPU8, u32(result + 8)));
  }

  const context = wasm._heif_context_alloc!();
  limitContext(view(), wasm._heif_context_get_security_limits!(context), limits);
  const file = wasm._malloc!(bytes.length);
  wasm.HEAPU8.set(bytes, file);
  call('_heif_context_read_from_memory_without_copy', context, file, bytes.length, 0);
  call('_heif_context_get_primary_image_handle', context, out);
  const handle = u32(out);

  function readColor(): HeicColor {
    const size = wasm._heif_image_handle_get_raw_color_profile_size!(handle);
    if (size > 0) {
      const profile = wasm._malloc!(size);
      call('_heif_image_handle_get_raw_color_profile', handle, profile);
      return { kind: 'icc', profile: wasm.HEAPU8.slice(profile, profile + size) };
    }
    wasm._heif_image_handle_get_nclx_color_profile!(result, handle, out);
    if (u32(result) !== 0) return { kind: 'none' };
    // Layout of heif_color_profile_nclx: one version byte, then enums of four bytes each.
    return { kind: 'code points', primaries: u32(u32(out) + 4), transfer: u32(u32(out) + 8) };
  }

  /**
   * Refuses a grid with tiles that show nothing: they would be decoded, whatever size the picture states.
   */
  function refuseHiddenTiles(): void {
    const tiling = wasm._malloc!(TILING_BYTES);
    call('_heif_image_handle_get_image_tiling', handle, 0, tiling);
    const [columns, rows, tileWidth, tileHeight, width, height] = [4, 8, 12, 16, 20, 24].map((at) =>
      u32(tiling + at),
    ) as [number, number, number, number, number, number];
    if (columns > Math.ceil(width / tileWidth) || rows > Math.ceil(height / tileHeight))
      throw new HeifError(heifErrors.memory, 'the grid has tiles that show nothing');
  }

  refuseHiddenTiles();
  return {
    /** Width after the file's own rotation, mirroring and cropping; `height` likewise. */
    width: wasm._heif_image_handle_get_width!(handle),
    height: wasm._heif_image_handle_get_height!(handle),
    hasAlpha: wasm._heif_image_handle_has_alpha_channel!(handle) !== 0,
    isPremultiplied: wasm._heif_image_handle_is_premultiplied_alpha!(handle) !== 0,
    readColor,

    /** Returns upright pixels, 8 bits per channel, with rows that are not padded. Throws `HeifError`. */
    decode(channels: 3 | 4) {
      const options = wasm._heif_decoding_options_alloc!();
      // Fields of heif_decoding_options: `convert_hdr_to_8bit`, and `strict_decoding`, which rejects damaged files.
      view().setUint8(options + 20, 1);
      view().setUint8(options + 21, 1);
      call('_heif_decode_image', handle, out, RGB, CHROMA[channels], options);
      const image = u32(out);
      const width = wasm._heif_image_get_width!(image, INTERLEAVED);
      const height = wasm._heif_image_get_height!(image, INTERLEAVED);
      const plane = wasm._heif_image_get_plane_readonly!(image, INTERLEAVED, out);
      const stride = u32(out);
      const rowBytes = width * channels;
      if (plane === 0 || stride < rowBytes) throw new HeifError(heifErrors.unsupportedFeature, 'no pixels');
      const data = new Uint8Array(rowBytes * height);
      for (let y = 0; y < height; y++) {
        const from = plane + y * stride;
        data.set(wasm.HEAPU8.subarray(from, from + rowBytes), y * rowBytes);
      }
      return { width, height, channels, data };
    },
  };
}

/**
 * Tightens libheif's limits. Those on tiles and profiles stay far above what phones write, such as the 48 tiles of an
 * iPhone photo. The offsets of the struct's 64-bit and 32-bit fields are those of heif_security.h.
 */
function limitContext(view: DataView, at: number, { maxPixels, maxMemoryBytes }: HeicLimits): void {
  if (view.getUint8(at) !== KNOWN_LIMITS)
    throw new Error('this version of libheif has an unknown layout of its limits');
  view.setBigUint64(at + 8, BigInt(maxPixels), true);
  view.setBigUint64(at + 16, BigInt(MAX_TILES), true);
  view.setUint32(at + 32, MAX_PROFILE_BYTES, true);
  view.setBigUint64(at + 40, BigInt(maxMemoryBytes), true);
  view.setBigUint64(at + 64, BigInt(maxMemoryBytes), true);
}

function readText(heap: Uint8Array, at: number): string {
  const end = heap.indexOf(0, at);
  return Buffer.from(heap.subarray(at, end)).toString('utf8');
}
