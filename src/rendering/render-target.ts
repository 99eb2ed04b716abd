/** The two picture sizes, and the encoder settings of each format. */
import type { PhotoTags } from 'packshot-photos';
import type { CanvasSize, Variant } from 'packshot-pixels';
import type { StampedLogo } from './stamp-logo.ts';

/** Part of every picture's ETag. Increment when a code change makes the same plan and target give different bytes. */
export const drawingRevision = 12;

export type RenderTargetName = 'preview' | 'generated';
export type RenderFormat = 'webp' | 'jpeg' | 'png' | 'avif';

export interface RenderTarget {
  readonly name: RenderTargetName;
  readonly format: RenderFormat;
  /** Longer side of the canvas, in pixels. */
  readonly longEdgePx: number;
  /** 1 to 100 on the format's own scale. PNG, which is lossless, ignores it. */
  readonly quality: number;
  /** Whether the picture gets a SAMPLE watermark. */
  readonly sample?: true;
  /** For a draft: whether to encode in the least time, with a larger file and coarser colors at edges. */
  readonly isQuick?: boolean;
  /** Whether the photo's tags are written into the picture. */
  readonly metadata?: 'photo';
  /** Most bytes of the file: a lossy format gets a lower quality if it needs more. */
  readonly maxBytes?: number;
  /** Density to write into the picture; default: with the photo's metadata, the photo's. */
  readonly dpi?: number;
  /** The photo's tags; undefined until they are read. Not in the ETag: it covers the design, which determines them. */
  readonly tags?: PhotoTags;
  /** Undefined until its file is read. Not in the ETag, which covers the mutation that names the logo. */
  readonly logo?: StampedLogo;
}

/** Which of the photo's metadata a picture receives. */
export const metadataChoices = ['none', 'photo'] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

export const contentTypes: Readonly<Record<RenderFormat, string>> = {
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
};

/** Longer side of full versions, in pixels; no picture is larger. */
export const FULL_EDGE_PX = 2000;

const longEdgesPx: Readonly<Record<RenderTargetName, number>> = { preview: 640, generated: FULL_EDGE_PX };

const qualities: Readonly<Record<RenderTargetName, Readonly<Record<RenderFormat, number>>>> = {
  preview: { webp: 84, jpeg: 90, png: 100, avif: 62 },
  generated: { webp: 92, jpeg: 94, png: 100, avif: 72 },
};

/** `quality` overrides the default of this size and format; PNG has no quality. */
export function renderTarget(
  name: RenderTargetName,
  format: RenderFormat,
  quality: number = qualities[name][format],
): RenderTarget {
  return { name, format, longEdgePx: longEdgesPx[name], quality };
}

interface Wishes {
  readonly metadata?: MetadataChoice | undefined;
  readonly dpi?: number | undefined;
  /** A larger side than the target's own is not given. */
  readonly longEdgePx?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/** A target without wishes stays unchanged, and therefore ETags too. */
export const withWishes = (
  target: RenderTarget,
  { metadata, dpi, longEdgePx, maxBytes }: Wishes,
): RenderTarget => ({
  ...target,
  ...(longEdgePx !== undefined && { longEdgePx: Math.min(longEdgePx, target.longEdgePx) }),
  ...(maxBytes !== undefined && { maxBytes }),
  ...(metadata === 'photo' && { metadata }),
  ...(dpi !== undefined && { dpi }),
});

/** Whether the format is lossy, so that a quality applies. */
export const isLossy = (format: RenderFormat): boolean => format !== 'png';

/** Longer side of full versions for sandbox keys, in pixels: large enough to evaluate, too small for a shop. */
const SAMPLE_EDGE_PX = 1000;

/** Returns the target for sandbox keys: full versions are smaller and get the watermark; previews are unchanged. */
export function sampleTarget(target: RenderTarget): RenderTarget {
  const longEdgePx = Math.min(SAMPLE_EDGE_PX, target.longEdgePx);
  return target.name === 'preview' ? target : { ...target, longEdgePx, sample: true };
}

/** Returns a canvas whose longer side is exactly `longEdgePx`; the other side is rounded to whole pixels. */
export function canvasSize(variant: Variant, longEdgePx: number): CanvasSize {
  const [w, h] = variant.split(':').map(Number) as [number, number];
  const scale = longEdgePx / Math.max(w, h);
  return { width: Math.round(w * scale), height: Math.round(h * scale) };
}
