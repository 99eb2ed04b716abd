/** Fields of the remove.bg API 1.0; Packshot's docs/leaving-remove-bg.md lists what is supported. */
interface RemoveBgOptions {
  /** The key of your Packshot service. */
  apiKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: the types of remove.bg 1.3.0.
  size?: 'preview' | 'small' | 'regular' | 'medium' | 'full' | 'auto' | 'hd' | '4k' | any;
  // biome-ignore lint/suspicious/noExplicitAny: the types of remove.bg 1.3.0.
  type?: 'auto' | 'person' | 'product' | 'car' | any;
  /** Never sent, as in remove.bg 1.3.0. */
  format?: 'auto' | 'png' | 'jpg' | 'zip';
  scale?: string;
  position?: string;
  /** File for the picture. */
  outputFile?: string;
  roi?: string;
  crop?: boolean;
  crop_margin?: string;
  bg_color?: string;
  bg_image_url?: string;
  channels?: string;
  add_shadow?: boolean;
}

export interface RemoveBgUrlOptions extends RemoveBgOptions {
  url: string;
}

export interface RemoveBgBase64Options extends RemoveBgOptions {
  base64img: string;
}

export interface RemoveBgFileOptions extends RemoveBgOptions {
  path: string;
}

export interface RemoveBgResult {
  base64img: string;
  creditsCharged: number;
  // biome-ignore lint/suspicious/noExplicitAny: the types of remove.bg 1.3.0.
  detectedType: 'product' | 'person' | 'animal' | 'car' | 'other' | any;
  resultWidth: number;
  resultHeight: number;
  rateLimit: number;
  rateLimitRemaining: number;
  rateLimitReset: number;
  retryAfter?: number;
}

export interface RemoveBgError {
  title: string;
  detail: string;
}

export declare function removeBackgroundFromImageUrl(options: RemoveBgUrlOptions): Promise<RemoveBgResult>;
export declare function removeBackgroundFromImageFile(options: RemoveBgFileOptions): Promise<RemoveBgResult>;
export declare function removeBackgroundFromImageBase64(
  options: RemoveBgBase64Options,
): Promise<RemoveBgResult>;
