/** Common model of the calls of all dialects: the photo, the region to cut out, and the requested picture. */

import type { CutoutWish } from 'packshot-cutout/service';
import type { AlphaWish } from 'packshot-photos';
import type { Color } from '../named-color.ts';

/** A length: whole pixels, or a share of a reference length. */
export type Length = { readonly px: number } | { readonly share: number };

/** Left, top, right and bottom edges, measured from the top left corner of the photo. */
export type Region = readonly [left: Length, top: Length, right: Length, bottom: Length];

/** A file that came with the call, kept in the blob store. */
export interface KeptFile {
  readonly key: string;
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

/** Bytes sent with the call, or the URL to fetch them from. */
export type PictureSource =
  | { readonly bytes: Uint8Array; readonly fileName: string | undefined }
  | { readonly url: string };

/** `photo` keeps the photo's own size. */
export type SizeClass = 'preview' | 'medium' | 'hd' | 'full' | '36MP' | '50MP' | 'auto' | 'photo';
export type OutputFormat = 'auto' | 'png' | 'jpg' | 'webp' | 'avif' | 'zip';
export type SubjectClass =
  | 'person'
  | 'product'
  | 'animal'
  | 'car'
  | 'car_interior'
  | 'car_part'
  | 'transportation'
  | 'graphics'
  | 'other';
export type ShadowType = 'none' | 'auto' | 'car' | '3D' | 'drop';
/** Top, right, bottom and left. */
export type Margins = readonly [Length, Length, Length, Length];

/** Values by class of the subject, which is known only after the cutout; `all` is the default. */
export type ByClass<T> = { readonly all: T } & { readonly [K in SubjectClass]?: T };

export interface Shadow {
  readonly type: ByClass<ShadowType>;
  /** 0 to 1; with `auto`, it depends on the type of the shadow. */
  readonly opacity: ByClass<number | 'auto'>;
}

/** A canvas of any size, into which the subject is fitted. */
export interface Frame {
  /** Default: the size of the photo. */
  readonly canvas?: { readonly width: number; readonly height: number } | undefined;
  /** Free borders: top, right, bottom and left; on each side, the lengths add up. */
  readonly borders: readonly [readonly Length[], readonly Length[], readonly Length[], readonly Length[]];
  /** Whether the subject fills the space between the borders, so that what protrudes from the canvas is cut off. */
  readonly fills: boolean;
  /** Shares of the free space between the borders that lie to the left of and above the subject. */
  readonly align: { readonly x: number; readonly y: number };
}

export interface CutoutOrder extends PictureOrder {
  readonly source: PictureSource;
}

/** The order without the photo. */
export interface PictureOrder {
  readonly size: SizeClass;
  readonly format: OutputFormat;
  /** The picture, or only the matte. */
  readonly channels: 'rgba' | 'alpha';
  /** The region to cut out; everything outside becomes background. Default: the whole photo. */
  readonly roi?: Region | undefined;
  /** Crops to the subject plus these margins. */
  readonly crop?: Margins | undefined;
  /** Share of the picture that the subject is fitted into, 0.1 to 1. */
  readonly scale?: number | undefined;
  /**
   * Share of the horizontal free space that lies to the left of the subject, and share of the vertical free space that
   * lies above it. Default: with `scale`, the middle; otherwise, the subject stays where it is in the photo.
   */
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  /** Replaces `crop`, `scale` and `position`. */
  readonly frame?: Frame | undefined;
  /** Density of the picture, in dots per inch. */
  readonly dpi?: number | undefined;
  /** Quality of the encoder, 1 to 100. */
  readonly quality?: number | undefined;
  readonly background?:
    | { readonly color: Color }
    | { readonly picture: PictureSource | KeptFile }
    | undefined;
  /** Pictures over the whole photo that are white where it is kept, or removed, whatever the cutout says. */
  readonly masks?:
    | {
        readonly keep: Uint8Array | KeptFile | undefined;
        readonly remove: Uint8Array | KeptFile | undefined;
      }
    | undefined;
  /** Whether translucent areas inside the subject are made opaque. */
  readonly solid?: boolean;
  /** Whether a photo without a subject gives an empty picture instead of an error. */
  readonly allowsEmpty?: boolean;
  /** Whether the matte is binary. */
  readonly binary?: boolean;
  /** Whether the photo's original colors are kept under the matte. */
  readonly ownColors?: boolean;
  readonly shadow?: Shadow | undefined;
  /** What the photo's own transparency means; default `ignore`. */
  readonly alpha?: AlphaWish | undefined;
  /** `none`: the background stays. Default: `auto`. */
  readonly cutout?: CutoutWish | undefined;
  /** Class of the subject, as stated by the caller. */
  readonly subject?: SubjectClass | undefined;
  /** Level of detail of `subjectClass` in the response; if undefined, the response omits the class. */
  readonly level?: 1 | 2 | undefined;
}
