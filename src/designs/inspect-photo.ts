/** Checks a new photo: converts HEIC, then decodes the file once, in child processes that may crash. */
import { createHash } from 'node:crypto';
import { type ImageFacts, type ImageLimits, type inspectImage, ofAnySize } from 'packshot-photos';
import type { Tasks, Urgency } from '../tasks.ts';

export interface PhotoOptions {
  readonly account: string;
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
}

/** Converts HEIC photos in child processes. */
export interface HeicConverter {
  /**
   * Converts a HEIC photo to JPEG or PNG with the same pixels; returns bytes of any other format unchanged. Throws the
   * errors of `convertHeic`, `file_too_large`, and the signal's reason.
   */
  toReadable(bytes: Uint8Array, limits: ImageLimits, options: PhotoOptions): Promise<Uint8Array>;
}

interface Dependencies {
  readonly imaging: Tasks<{ inspectImage: typeof inspectImage }>;
  /** Undefined if the operator has switched HEIC off. */
  readonly heic: HeicConverter | undefined;
  readonly limits: ImageLimits;
}

/** A photo that passed the checks. */
interface InspectedImage {
  /** `format`, `bytes` and `sha256` are those of the received file. */
  readonly facts: ImageFacts;
  /** The bytes that are stored and read later: the received bytes, or the HEIC's picture in another format. */
  readonly bytes: Uint8Array;
}

export type PhotoInspector = ReturnType<typeof createPhotoInspector>;

export function createPhotoInspector({ imaging, heic, limits }: Dependencies) {
  /** Converts the photo, if needed, to a format that every process can read. */
  async function toReadable(bytes: Uint8Array, options: PhotoOptions): Promise<Uint8Array> {
    return heic ? heic.toReadable(bytes, limits, options) : bytes;
  }

  return {
    toReadable,

    /**
     * Returns the facts of the received file, and its bytes in a readable format. `isSizeChecked`: the caller has
     * already checked the original file's length in bytes, so the limit on bytes does not apply to `bytes`: a crop or a
     * conversion may be longer than the original. Throws the errors of `inspectImage` and of the conversion.
     */
    async inspectPhoto(
      bytes: Uint8Array,
      { isSizeChecked = false, ...options }: PhotoOptions & { readonly isSizeChecked?: boolean | undefined },
    ): Promise<InspectedImage> {
      const readable = await toReadable(bytes, options);
      const isConverted = readable !== bytes;
      const facts = await imaging.inspectImage(
        { bytes: readable, limits: isSizeChecked || isConverted ? ofAnySize(limits) : limits },
        options,
      );
      return { facts: isConverted ? { ...facts, ...describeHeic(bytes) } : facts, bytes: readable };
    },
  };
}

/** Returns the facts in which a HEIC differs from the picture made from it. */
function describeHeic(bytes: Uint8Array): Pick<ImageFacts, 'format' | 'bytes' | 'sha256'> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { format: 'heic', bytes: bytes.byteLength, sha256 };
}
