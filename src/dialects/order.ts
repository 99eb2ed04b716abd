/** What a call of any dialect comes down to: the photo, what is to be cut out of it, and the picture that is wanted. */

/** A length as callers write it: whole pixels, or a share of what it is measured against. */
export type Length = { readonly px: number } | { readonly share: number };

/** Left, top, right and bottom, from the top left corner of the photo. */
export type Region = readonly [left: Length, top: Length, right: Length, bottom: Length];

/** 0 to 255 each. */
export type Color = readonly [r: number, g: number, b: number, alpha: number];

/** Bytes that came with the call, or where they are. */
export type PictureSource =
  | { readonly bytes: Uint8Array; readonly fileName: string | undefined }
  | { readonly url: string };

/** `photo` leaves the photo's own size alone. */
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

/** By the class of the subject, which is known once there is a cutout; `all` for those that have no value of their own. */
export type ByClass<T> = { readonly all: T } & { readonly [K in SubjectClass]?: T };

export interface Shadow {
  readonly type: ByClass<ShadowType>;
  /** 0 to 1, or as fits the class. */
  readonly opacity: ByClass<number | 'auto'>;
}

export interface CutoutOrder extends PictureOrder {
  readonly source: PictureSource;
}

/** All of it but the photo. */
export interface PictureOrder {
  readonly size: SizeClass;
  readonly format: OutputFormat;
  /** The picture, or the matte alone. */
  readonly channels: 'rgba' | 'alpha';
  /** Outside it all is background; the whole photo where left out. */
  readonly roi?: Region | undefined;
  /** Cuts off what is empty, but for these margins. */
  readonly crop?: Margins | undefined;
  /** Of the whole picture that the subject fits into, 0.1 to 1. */
  readonly scale?: number | undefined;
  /** Shares of the free space left of and above the subject; where it is in the photo where left out. */
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  readonly background?: { readonly color: Color } | { readonly picture: PictureSource } | undefined;
  /** Whether what lets light through inside the subject is made solid. */
  readonly solid?: boolean;
  /** Whether the matte knows nothing between subject and background. */
  readonly binary?: boolean;
  /** Whether the photo's own colors stay under the matte. */
  readonly ownColors?: boolean;
  readonly shadow?: Shadow | undefined;
  /** What the caller says that the photo shows. */
  readonly subject?: SubjectClass | undefined;
  /** How finely `subjectClass` of the answer tells; none where it is left out. */
  readonly level?: 1 | 2 | undefined;
}
