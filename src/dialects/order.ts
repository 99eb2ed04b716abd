/** Common model of the calls of all dialects: the photo, the region to cut out, and the requested picture. */

/** A length: whole pixels, or a share of a reference length. */
export type Length = { readonly px: number } | { readonly share: number };

/** Left, top, right and bottom edges, measured from the top left corner of the photo. */
export type Region = readonly [left: Length, top: Length, right: Length, bottom: Length];

/** 0 to 255 each. */
export type Color = readonly [r: number, g: number, b: number, alpha: number];

/** Bytes sent with the call, or the URL to fetch them from. */
export type PictureSource =
  | { readonly bytes: Uint8Array; readonly fileName: string | undefined }
  | { readonly url: string };

/** `photo` keeps the photo's own size. */
export type SizeClass = 'preview' | 'medium' | 'hd' | 'full' | '36MP' | '50MP' | 'auto' | 'photo';
export type OutputFormat = 'auto' | 'png' | 'jpg' | 'webp' | 'zip';
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
  readonly background?: { readonly color: Color } | { readonly picture: PictureSource } | undefined;
  /** Whether translucent areas inside the subject are made opaque. */
  readonly solid?: boolean;
  /** Whether the matte is binary. */
  readonly binary?: boolean;
  /** Whether the photo's original colors are kept under the matte. */
  readonly ownColors?: boolean;
  readonly shadow?: Shadow | undefined;
  /** Class of the subject, as stated by the caller. */
  readonly subject?: SubjectClass | undefined;
  /** Level of detail of `subjectClass` in the response; if undefined, the response omits the class. */
  readonly level?: 1 | 2 | undefined;
}
