/** Packshot's client: one method for each call of the service. */
import type {
  Credits,
  Design,
  Limits,
  Recipes,
  RenderInput,
  SuggestInput,
  Suggestions,
  UploadedIllustration,
  UploadFromUrlInput,
} from './api-types.ts';
import { type Call, type CallOptions, callService, type Retry, type Transport } from './call-service.ts';
import { type Picture, toPicture } from './picture.ts';

export type {
  Box,
  Credits,
  Design,
  Limits,
  ProductKind,
  Recipes,
  RenderInput,
  Subject,
  SuggestInput,
  Suggestions,
  UploadedIllustration,
  UploadFromUrlInput,
} from './api-types.ts';
export type { CallOptions, Retry } from './call-service.ts';
export { type ErrorCode, PackshotError } from './packshot-error.ts';
export type { Picture } from './picture.ts';

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch;
  /** Repetitions of a call that failed in passing; 3 unless told, 0 for none. */
  readonly maxRetries?: number;
  /** The longest wait before a repetition, 30 s unless told; a call that the service puts off for longer fails. */
  readonly maxRetryWaitMs?: number;
  /** For each try, until the answer begins; 60 s unless told. */
  readonly timeoutMs?: number;
  /** Told before each wait, to show it. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Bytes of a picture file. Node's Buffer is a Uint8Array; `fs.openAsBlob` makes a Blob of a file. */
export type FileBytes = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer;

export interface UploadOptions extends CallOptions {
  /** File name; a File's own unless told. The service looks at it for what the product is. */
  readonly name?: string;
  /** What the product is, such as `shoes` or `Health & Beauty`. */
  readonly productKind?: string;
}

export interface PictureOptions extends CallOptions {
  /** An `etag` answered before; see `Picture.notModified`. */
  readonly ifNoneMatch?: string;
}

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif';

export type PackshotClient = ReturnType<typeof createPackshotClient>;

export function createPackshotClient(options: ClientOptions) {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    apiKey: options.apiKey,
    // Called as a function of its own: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    maxRetries: options.maxRetries ?? 3,
    maxRetryWaitMs: options.maxRetryWaitMs ?? 30_000,
    timeoutMs: options.timeoutMs ?? 60_000,
    onRetry: options.onRetry,
  };

  async function json<Answer>(call: Call): Promise<Answer> {
    return (await callService(transport, call)).json() as Promise<Answer>;
  }

  async function picture(call: Call, { ifNoneMatch }: PictureOptions): Promise<Picture> {
    const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
    return toPicture(await callService(transport, { ...call, headers }));
  }

  return {
    /**
     * Uploads a photo. Answers as soon as it is checked and stored; the cutout is made in the background and every
     * later call waits for it.
     */
    async upload(photo: FileBytes, { name, productKind, signal }: UploadOptions = {}): Promise<Design> {
      const form = fileForm(photo, name);
      if (productKind !== undefined) form.append('productKind', productKind);
      const call = { method: 'POST', path: '/v1/design/image-upload', form, signal } as const;
      return json({ ...call, headers: newIdempotencyKey() });
    },

    /** The same with a public URL, which the service fetches itself. */
    async uploadFromUrl(request: UploadFromUrlInput, { signal }: CallOptions = {}): Promise<Design> {
      const call = {
        method: 'POST',
        path: '/v1/design/image-upload-from-url',
        json: request,
        signal,
      } as const;
      return json({ ...call, headers: newIdempotencyKey() });
    },

    /**
     * State of a design and what was found in the photo. With `wait` it answers once the cutout is settled, or with
     * `processing` when the service's deadline has passed.
     */
    async getDesign(id: string, { wait, signal }: CallOptions & { readonly wait?: boolean } = {}) {
      const path = `${designPath(id)}${wait ? '?wait=true' : ''}`;
      return json<Design>({ method: 'GET', path, signal });
    },

    /** Erases photo, cutout and everything else of a design; they are gone when this resolves. */
    async deleteDesign(id: string, { signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'DELETE', path: designPath(id), signal });
    },

    /** The cutout at the photo's own size and place, straight alpha. Waits for it. */
    async cutout(id: string, options: PictureOptions & { readonly format?: 'png' | 'webp' } = {}) {
      const path = `${designPath(id)}/cutout.${options.format ?? 'png'}`;
      return picture({ method: 'GET', path, signal: options.signal }, options);
    },

    /** The matte at the photo's own size: 8-bit grey PNG, white is product. Waits for it. */
    async matte(id: string, options: PictureOptions = {}): Promise<Picture> {
      return picture({ method: 'GET', path: `${designPath(id)}/matte.png`, signal: options.signal }, options);
    },

    /** Scenes for this product, in lists; each recipe of them can be given to `preview` and `generate`. */
    async suggest(request: SuggestInput, { signal }: CallOptions = {}): Promise<Suggestions> {
      return json({ method: 'POST', path: '/v1/design/suggest', json: request, signal });
    },

    /** A small version, 640 px on its longer side; WebP unless told. */
    async preview(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      const path = `/v1/design/preview.${options.format ?? 'webp'}`;
      return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
    },

    /** The full version, 2000 px on its longer side; JPEG unless told. */
    async generate(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      const path = `/v1/design/generated.${options.format ?? 'jpeg'}`;
      return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
    },

    /** Your own backdrop: the answer is `mutations.images.primaryIllustration` of a render with `Studio001`. */
    async uploadIllustration(
      backdrop: FileBytes,
      { name, signal }: CallOptions & { readonly name?: string } = {},
    ): Promise<UploadedIllustration> {
      const call = {
        method: 'POST',
        path: '/v1/illustrations',
        form: fileForm(backdrop, name),
        signal,
      } as const;
      return json({ ...call, headers: newIdempotencyKey() });
    },

    /** Erases a backdrop of your own, by the `uri` that its upload answered. */
    async deleteIllustration(uri: string, { signal }: CallOptions = {}): Promise<void> {
      const { pathname } = new URL(uri, transport.baseUrl);
      await callService(transport, { method: 'DELETE', path: pathname, signal });
    },

    /** The catalogue: every recipe, its variants and the sizes of its pictures. */
    async recipes({ signal }: CallOptions = {}): Promise<Recipes['recipes']> {
      return (await json<Recipes>({ method: 'GET', path: '/v1/recipes', signal })).recipes;
    },

    /** What this key may still spend. */
    async credits({ signal }: CallOptions = {}): Promise<Credits> {
      return json({ method: 'GET', path: '/v1/credits', signal });
    },

    /** Every limit of the service. */
    async limits({ signal }: CallOptions = {}): Promise<Limits> {
      return json({ method: 'GET', path: '/v1/limits', signal });
    },
  };
}

function designPath(id: string): string {
  return `/v1/design/${encodeURIComponent(id)}`;
}

function fileForm(bytes: FileBytes, name: string | undefined): FormData {
  const form = new FormData();
  const ownName = 'name' in bytes && typeof bytes.name === 'string' ? bytes.name : 'photo';
  form.append('file', bytes instanceof Blob ? bytes : new Blob([bytes]), name ?? ownName);
  return form;
}

/** One for each intention: a repeated upload is answered with the first one's design. */
function newIdempotencyKey(): { readonly 'idempotency-key': string } {
  // `randomUUID` is missing on pages that came over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return {
    'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
