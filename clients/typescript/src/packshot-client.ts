/** Packshot's client: a method for each call of the service, and a few that join several calls. */
import { type AnsweredBytes, toBytes } from './answered-bytes.ts';
import type {
  Batch,
  BatchPage,
  Credits,
  Design,
  Limits,
  NewBatchInput,
  Recipes,
  RenderInput,
  SuggestInput,
  Suggestions,
  UploadedIllustration,
  UploadFromUrlInput,
} from './api-types.ts';
import {
  awaitBatch,
  type BatchOptions,
  batchPath,
  findBatch,
  listItems,
  postBatch,
  type WaitOptions,
} from './batches.ts';
import { type Call, type CallOptions, callService, type Retry, type Transport } from './call-service.ts';
import { type DesignEvent, followDesign } from './design-events.ts';
import { type FileBytes, fileForm, newIdempotencyKey } from './file-form.ts';
import { type Picture, toPicture } from './picture.ts';

export type { AnsweredBytes, ByteStream } from './answered-bytes.ts';
export type {
  Batch,
  BatchItemInput,
  BatchPage,
  Box,
  Credits,
  Design,
  Limits,
  NewBatchInput,
  ProductKind,
  Recipes,
  RenderInput,
  Subject,
  SuggestInput,
  Suggestions,
  UploadedIllustration,
  UploadFromUrlInput,
} from './api-types.ts';
export type { BatchOptions, WaitOptions } from './batches.ts';
export type { CallOptions, Retry } from './call-service.ts';
export type { DesignEvent } from './design-events.ts';
export type { FileBytes } from './file-form.ts';
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

/** A recipe as `suggest` answers it; `{ id, ...recipe }` is a request for its picture. */
export type SuggestedRecipe = Suggestions['suggestedRecipeLists'][number]['recipes'][number];

/** A picture without its photo. */
export type RecipeInput = Omit<RenderInput, 'id'>;

export interface MakeOptions extends UploadOptions {
  /** Of the picture; JPEG where left out. */
  readonly format?: PictureFormat;
}

export interface ScenesOptions extends CallOptions {
  /** Such as `4:5`; the first of the preset where left out. */
  readonly aspectRatio?: NonNullable<SuggestInput['filters']>['aspectRatio'];
  /** `AI_STUDIO` where left out. */
  readonly recipePreset?: string;
  /** What the product is, such as `shoes`. */
  readonly productKind?: string;
}

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

  async function upload(photo: FileBytes, { name, productKind, signal }: UploadOptions): Promise<Design> {
    const form = fileForm(photo, name);
    if (productKind !== undefined) form.append('productKind', productKind);
    const call = { method: 'POST', path: '/v1/design/image-upload', form, signal } as const;
    return json({ ...call, headers: newIdempotencyKey() });
  }

  async function generate(
    request: RenderInput,
    options: PictureOptions & { readonly format?: PictureFormat },
  ): Promise<Picture> {
    const path = `/v1/design/generated.${options.format ?? 'jpeg'}`;
    return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
  }

  async function suggest(request: SuggestInput, { signal }: CallOptions): Promise<Suggestions> {
    return json({ method: 'POST', path: '/v1/design/suggest', json: request, signal });
  }

  return {
    /** Uploads a photo and makes the full version of a recipe of it: `upload` and `generate` in one step. */
    async make(
      photo: FileBytes,
      recipe: RecipeInput,
      { format, ...options }: MakeOptions = {},
    ): Promise<Picture & { readonly designId: string }> {
      const { id } = await upload(photo, options);
      const { signal } = options;
      const made = await generate({ id, ...recipe }, { signal, ...(format && { format }) });
      return { ...made, designId: id };
    },

    /** Scenes for a design, as one list of recipes: `client.scenes(id, 'oak table, morning light')`. */
    async scenes(id: string, prompt?: string, options: ScenesOptions = {}): Promise<SuggestedRecipe[]> {
      const { aspectRatio, recipePreset = 'AI_STUDIO', productKind, signal } = options;
      const filters = aspectRatio === undefined ? undefined : { aspectRatio };
      const { suggestedRecipeLists } = await suggest(
        { id, recipePreset, prompt, filters, productKind },
        { signal },
      );
      return suggestedRecipeLists.flatMap(({ recipes }) => recipes);
    },

    /**
     * Uploads a photo. Answers as soon as it is checked and stored; the cutout is made in the background and every
     * later call waits for it.
     */
    async upload(photo: FileBytes, options: UploadOptions = {}): Promise<Design> {
      return upload(photo, options);
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

    /**
     * Follows a design until nothing more is to come: `for await (const event of client.designEvents(id))`. Connects again
     * where the connection breaks. Leaving the loop, or the signal, ends it.
     */
    designEvents(id: string, options: CallOptions = {}): AsyncGenerator<DesignEvent, void> {
      return followDesign(transport, `${designPath(id)}/events`, options);
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
    async suggest(request: SuggestInput, options: CallOptions = {}): Promise<Suggestions> {
      return suggest(request, options);
    },

    /** A small version, 640 px on its longer side; WebP unless told. */
    async preview(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      const path = `/v1/design/preview.${options.format ?? 'webp'}`;
      return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
    },

    /** The full version, 2000 px on its longer side; JPEG unless told. */
    async generate(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      return generate(request, options);
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

    /** The scene of a `uri` or `previewUri`, without the product: WebP. */
    async illustration(uri: string, options: PictureOptions = {}): Promise<Picture> {
      const { pathname, search } = new URL(uri, transport.baseUrl);
      return picture({ method: 'GET', path: pathname + search, signal: options.signal }, options);
    },

    /** Erases a backdrop of your own, by the `uri` that its upload answered. */
    async deleteIllustration(uri: string, { signal }: CallOptions = {}): Promise<void> {
      const { pathname } = new URL(uri, transport.baseUrl);
      await callService(transport, { method: 'DELETE', path: pathname, signal });
    },

    /**
     * Has up to 1,000 full versions made while the service has nothing more urgent to do. Photos can come along:
     * `createBatch({ items: [{ file: 'mug.jpg', ...recipe }] }, { files: { 'mug.jpg': bytes } })`.
     */
    async createBatch(batch: NewBatchInput, options: BatchOptions = {}): Promise<Batch> {
      return postBatch(transport, batch, options);
    },

    /** State of a batch and its first 200 items; those that follow with `after`, the `next` of the page before. */
    async getBatch(id: string, options: CallOptions & { readonly after?: number } = {}): Promise<BatchPage> {
      return findBatch(transport, id, options);
    },

    /** All items of a batch, one after the other. */
    batchItems(id: string, options: CallOptions = {}): AsyncGenerator<BatchPage['items'][number], void> {
      return listItems(transport, id, options);
    },

    /** Resolves when the batch is completed or cancelled. Items that failed do not reject it: look at `counts`. */
    async waitForBatch(id: string, options: WaitOptions = {}): Promise<Batch> {
      return awaitBatch(transport, id, options);
    },

    /** The pictures of a completed batch as a ZIP, with a `manifest.json`. Stream it to a file. */
    async batchResults(id: string, { signal }: CallOptions = {}): Promise<AnsweredBytes> {
      return toBytes(
        await callService(transport, { method: 'GET', path: `${batchPath(id)}/results.zip`, signal }),
      );
    },

    /** Cancels a batch that is under way and erases its pictures; erases one that is over. The designs stay. */
    async deleteBatch(id: string, { signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'DELETE', path: batchPath(id), signal });
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

    /** Resolves when the process answers. */
    async health({ signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'GET', path: '/healthz', signal });
    },

    /** Resolves when the service can do its work. Rejects with `not_ready`, whose message says why not. */
    async readiness({ signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'GET', path: '/readyz', signal });
    },
  };
}

function designPath(id: string): string {
  return `/v1/design/${encodeURIComponent(id)}`;
}
