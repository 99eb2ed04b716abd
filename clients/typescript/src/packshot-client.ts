/** The Packshot client: one method per endpoint, and a few that combine several calls. */
import { type AnsweredBytes, toBytes } from './answered-bytes.ts';
import type {
  Batch,
  BatchPage,
  CorrectionInput,
  Credits,
  Design,
  DesignPage,
  ErasedProject,
  Limits,
  ListingCheck,
  Look,
  LookWithSource,
  NewBatchInput,
  NewLookInput,
  NewPictureUrlInput,
  PictureSigningKey,
  PictureUrl,
  Project,
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
import { type FileBytes, fileForm, toBlob } from './file-form.ts';
import { PackshotError } from './packshot-error.ts';
import { type Picture, toPicture } from './picture.ts';

export type { AnsweredBytes, ByteStream } from './answered-bytes.ts';
export type * from './api-types.ts';
export type { BatchOptions, WaitOptions } from './batches.ts';
export type { CallOptions, Retry } from './call-service.ts';
export type { DesignEvent } from './design-events.ts';
export type { FileBytes } from './file-form.ts';
export { type ErrorCode, PackshotError } from './packshot-error.ts';
export type { Picture } from './picture.ts';
export { type PictureToSign, type PictureUrlOption, signPictureUrl } from './sign-picture-url.ts';

export interface ClientOptions {
  /** Base URL of the service, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Maximum retries of a call after a temporary failure; default 3, 0 for none. */
  readonly maxRetries?: number;
  /** Longest wait before a retry in milliseconds; default 30,000. A call with a longer `Retry-After` fails. */
  readonly maxRetryWaitMs?: number;
  /** Milliseconds per attempt until the response headers arrive; default 300,000: calls may wait for their turn. */
  readonly timeoutMs?: number;
  /** Called before each wait, for example to display it. */
  readonly onRetry?: (retry: Retry) => void;
}

/** A design whose cutout is ready. */
export type CutDesign = Design & { readonly subject: NonNullable<Design['subject']> };

export interface UploadOptions extends CallOptions {
  /** File name; defaults to the name of a File. The service uses the name as a hint for the kind of product. */
  readonly name?: string;
  /** The kind of product, such as `shoes` or `Health & Beauty`. */
  readonly productKind?: string;
  /** `none` leaves the photo as it is: every picture shows the whole photo. */
  readonly cutout?: UploadFromUrlInput['cutout'];
  /** Name of the project to which the design belongs. */
  readonly project?: UploadFromUrlInput['project'];
  /** `batch`: nobody waits for the cutout. Other cutouts come first, and this one is the best at once. */
  readonly urgency?: 'upload' | 'batch';
  /**
   * Set this key if the same upload may be sent again, even by another process: a repeated upload returns the same
   * design. By default, each call generates a new key.
   */
  readonly idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  /** Only the designs of this project. */
  readonly project?: string | undefined;
  /** `next` of the previous page. */
  readonly after?: string | null | undefined;
  /** Designs per page, at most 100. */
  readonly limit?: number | undefined;
}

export interface PictureOptions extends CallOptions {
  /** The `etag` of an earlier response; see `Picture.notModified`. */
  readonly ifNoneMatch?: string;
}

export interface CutoutOptions extends PictureOptions {
  /** Default PNG. */
  readonly format?: 'png' | 'webp';
  readonly metadata?: RenderInput['metadata'];
}

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** A recipe as returned by `suggest`; `{ id, ...recipe }` is the request for its picture. */
export type SuggestedRecipe = Suggestions['suggestedRecipeLists'][number]['recipes'][number];

/** A render request without the design's id. */
export type RecipeInput = Omit<RenderInput, 'id'>;

export interface MakeOptions extends UploadOptions {
  /** Format of the picture; default JPEG. */
  readonly format?: PictureFormat;
}

/** Marketplaces whose rules the service can check. */
export type Marketplace = NonNullable<NewBatchInput['marketplaces']>[number];

export interface CheckOptions extends CallOptions {
  readonly marketplaces: readonly Marketplace[];
}

export interface CheckRenderOptions extends CheckOptions, Partial<RecipeInput> {
  /** Format of the picture; default JPEG. */
  readonly format?: PictureFormat;
}

export interface ScenesOptions extends CallOptions {
  /** Aspect ratio, such as `4:5`; defaults to the first ratio of the preset. */
  readonly aspectRatio?: NonNullable<SuggestInput['filters']>['aspectRatio'];
  /** Default `AI_STUDIO`. */
  readonly recipePreset?: string;
  /** The kind of product, such as `shoes`. */
  readonly productKind?: string;
}

/** A call of another service's interface: remove.bg, Photoroom, rembg, withoutBG. Its query may follow. */
export type DropInPath =
  | '/v1.0/removebg'
  | '/v1.0/account'
  | '/v1.0/improve'
  | '/v1/segment'
  | '/v1/account'
  | '/v2/edit'
  | '/v2/account'
  | '/api'
  | '/api/remove'
  | '/v1/remove-background';

export type PackshotClient = ReturnType<typeof createPackshotClient>;

export function createPackshotClient(options: ClientOptions) {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    apiKey: options.apiKey,
    // A plain function call: browsers reject `fetch` when it is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    maxRetries: options.maxRetries ?? 3,
    maxRetryWaitMs: options.maxRetryWaitMs ?? 30_000,
    timeoutMs: options.timeoutMs ?? 300_000,
    onRetry: options.onRetry,
  };

  async function json<Answer>(call: Call): Promise<Answer> {
    return (await callService(transport, call)).json() as Promise<Answer>;
  }

  async function picture(call: Call, { ifNoneMatch }: PictureOptions): Promise<Picture> {
    const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
    return toPicture(await callService(transport, { ...call, headers }));
  }

  const client = {
    /** Uploads a photo and renders the full version of a recipe: `upload` and `generate` in one step. */
    async make(
      photo: FileBytes,
      recipe: RecipeInput,
      { format, ...options }: MakeOptions = {},
    ): Promise<Picture & { readonly designId: string }> {
      const { id } = await client.upload(photo, options);
      const { signal } = options;
      const made = await client.generate({ id, ...recipe }, { signal, ...(format && { format }) });
      return { ...made, designId: id };
    },

    /** Scenes for a design as one list of recipes: `client.scenes(id, 'oak table, morning light')`. */
    async scenes(id: string, prompt?: string, options: ScenesOptions = {}): Promise<SuggestedRecipe[]> {
      const { aspectRatio, recipePreset = 'AI_STUDIO', productKind, signal } = options;
      const filters = aspectRatio === undefined ? undefined : { aspectRatio };
      const { suggestedRecipeLists } = await client.suggest(
        { id, recipePreset, prompt, filters, productKind },
        { signal },
      );
      return suggestedRecipeLists.flatMap(({ recipes }) => recipes);
    },

    /**
     * Uploads a photo. Resolves once the photo is validated and stored; the cutout is made in the background, and
     * later calls wait for it.
     */
    async upload(
      photo: FileBytes,
      { name, productKind, cutout, project, urgency, idempotencyKey, signal }: UploadOptions = {},
    ): Promise<Design> {
      const form = fileForm(photo, name);
      if (productKind !== undefined) form.append('productKind', productKind);
      if (cutout != null) form.append('cutout', cutout);
      if (project != null) form.append('project', project);
      const path = `/v1/design/image-upload${urgency === undefined ? '' : `?urgency=${urgency}`}`;
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      return json({ method: 'POST', path, form, headers, signal });
    },

    /** Uploads a photo from a public URL, which the service fetches. Resolves as `upload` does. */
    async uploadFromUrl(request: UploadFromUrlInput, { signal }: CallOptions = {}): Promise<Design> {
      const path = '/v1/design/image-upload-from-url';
      return json({ method: 'POST', path, json: request, signal });
    },

    /**
     * State of a design, and the product found in its photo. With `wait`, the call resolves once the cutout has
     * succeeded or failed.
     */
    async getDesign(
      id: string,
      { wait, signal }: CallOptions & { readonly wait?: boolean } = {},
    ): Promise<Design> {
      return json({ method: 'GET', path: `${designPath(id)}${wait ? '?wait=true' : ''}`, signal });
    },

    /** The design with the product found in its photo, once it is cut out. Rejects with the error of a failed cutout. */
    async waitForCutout(id: string, options: CallOptions = {}): Promise<CutDesign> {
      for (;;) {
        const design = await client.getDesign(id, { ...options, wait: true });
        const { status, subject, error } = design;
        if (status === 'ready' && subject) return { ...design, subject };
        if (status !== 'failed') continue;
        const { code = 'internal', detail = 'The service could not cut the product out.' } = error ?? {};
        throw new PackshotError(code, detail, { status: 422 });
      }
    },

    /**
     * Follows a design until its last event: `for await (const event of client.designEvents(id))`. Reconnects
     * automatically. To stop early, leave the loop or abort the signal.
     */
    designEvents(id: string, options: CallOptions = {}): AsyncGenerator<DesignEvent, void> {
      return followDesign(transport, `${designPath(id)}/events`, options);
    },

    /** Deletes the photo, the cutout and all other data of a design. Resolves once everything is deleted. */
    async deleteDesign(id: string, { signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'DELETE', path: designPath(id), signal });
    },

    /** One page of the account's designs, newest first. For further pages, pass the previous page's `next` as `after`. */
    async listDesigns({ project, after, limit, signal }: ListOptions = {}): Promise<DesignPage> {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ project, after, limit }))
        if (value != null) query.set(name, String(value));
      return json({ method: 'GET', path: `/v1/designs?${query}`, signal });
    },

    /** The account's projects, the one with the newest design first. */
    async projects({ signal }: CallOptions = {}): Promise<Project[]> {
      return (await json<{ projects: Project[] }>({ method: 'GET', path: '/v1/projects', signal })).projects;
    },

    /** If another project has the new name, the two become one. */
    async renameProject(name: string, newName: string, { signal }: CallOptions = {}): Promise<Project> {
      return json({ method: 'PATCH', path: projectPath(name), json: { name: newName }, signal });
    },

    /** Deletes all designs of a project and everything made from them. Resolves with their number, `deleted`. */
    async deleteProject(name: string, { signal }: CallOptions = {}): Promise<ErasedProject> {
      return json({ method: 'DELETE', path: projectPath(name), signal });
    },

    /**
     * Corrects the cutout by clicked parts, strokes, boxes or polygons with the mode `keep` or `erase`, in pixels of
     * the photo; or by the picture `mask`, in which white keeps, black erases, and gray and transparent pixels leave
     * the cutout unchanged. `{ undo: true }` undoes the last correction. Resolves with the design and its new revision.
     */
    async correct(
      id: string,
      correction: CorrectionInput,
      { mask, signal }: CallOptions & { readonly mask?: FileBytes } = {},
    ): Promise<Design> {
      const call = { method: 'POST', path: `${designPath(id)}/correct`, signal } as const;
      if (mask === undefined) return json({ ...call, json: correction });
      const form = fileForm(mask, undefined, 'mask');
      form.append('correction', JSON.stringify(correction));
      return json({ ...call, form });
    },

    /**
     * The photo, upright, as an sRGB JPEG of at most 2048 px, for browsers that cannot show every upload
     * format. Does not wait for the cutout.
     */
    async photo(id: string, options: PictureOptions = {}): Promise<Picture> {
      return picture(
        { method: 'GET', path: `${designPath(id)}/photo.jpeg`, signal: options.signal },
        options,
      );
    },

    /**
     * The cutout at the photo's size and position, with straight alpha. Waits until the cutout is made. `metadata:
     * 'photo'` keeps the photo's camera, date, artist, copyright and description.
     */
    async cutout(id: string, options: CutoutOptions = {}) {
      const query = options.metadata === undefined ? '' : `?metadata=${options.metadata}`;
      const path = `${designPath(id)}/cutout.${options.format ?? 'png'}${query}`;
      return picture({ method: 'GET', path, signal: options.signal }, options);
    },

    /** The matte at the photo's size: 8-bit gray PNG, white is product. Waits until the cutout is made. */
    async matte(id: string, options: PictureOptions = {}): Promise<Picture> {
      return picture({ method: 'GET', path: `${designPath(id)}/matte.png`, signal: options.signal }, options);
    },

    /** Lists of scenes for this product; pass any of their recipes to `preview` or `generate`. */
    async suggest(request: SuggestInput, { signal }: CallOptions = {}): Promise<Suggestions> {
      return json({ method: 'POST', path: '/v1/design/suggest', json: request, signal });
    },

    /** A small version, 640 px on its longer side; default WebP. */
    async preview(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      const path = `/v1/design/preview.${options.format ?? 'webp'}`;
      return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
    },

    /** The full version, 2000 px on its longer side; default JPEG. */
    async generate(request: RenderInput, options: PictureOptions & { readonly format?: PictureFormat } = {}) {
      const path = `/v1/design/generated.${options.format ?? 'jpeg'}`;
      return picture({ method: 'POST', path, json: request, signal: options.signal }, options);
    },

    /**
     * Checks the full version of a recipe against the rules of marketplaces. The default recipe is the listing recipe
     * of the first marketplace. Charged like `generate`, and free if the same picture was charged within the last hour.
     */
    async checkRender(id: string, options: CheckRenderOptions): Promise<ListingCheck> {
      const { marketplaces, recipeId, variant, mutations, format, quality, longEdgePx, maxBytes, signal } =
        options;
      const given = {
        recipeId,
        variant,
        format,
        quality: quality?.toString(),
        longEdgePx: longEdgePx?.toString(),
        maxBytes: maxBytes?.toString(),
        mutations: mutations && JSON.stringify(mutations),
      };
      const query = new URLSearchParams({ marketplace: marketplaces.join(',') });
      for (const [name, value] of Object.entries(given)) if (value != null) query.set(name, value);
      return json({ method: 'GET', path: `${designPath(id)}/check?${query}`, signal });
    },

    /** Checks any finished picture against the rules of marketplaces. Nothing is stored or charged. */
    async checkPicture(
      file: FileBytes,
      { marketplaces, name, signal }: CheckOptions & { readonly name?: string },
    ): Promise<ListingCheck> {
      const form = fileForm(file, name);
      form.append('marketplace', marketplaces.join(','));
      return json({ method: 'POST', path: '/v1/checks', form, signal });
    },

    /**
     * Uploads your own backdrop; pass the result as `mutations.images.primaryIllustration` of a render with
     * `Studio001`.
     */
    async uploadIllustration(
      backdrop: FileBytes,
      { name, signal }: CallOptions & { readonly name?: string } = {},
    ): Promise<UploadedIllustration> {
      const form = fileForm(backdrop, name);
      return json({ method: 'POST', path: '/v1/illustrations', form, signal });
    },

    /** The scene of a `uri` or `previewUri`, without the product, as WebP. */
    async illustration(uri: string, options: PictureOptions = {}): Promise<Picture> {
      const { pathname, search } = new URL(uri, transport.baseUrl);
      return picture({ method: 'GET', path: pathname + search, signal: options.signal }, options);
    },

    /** Deletes one of your own backdrops, by the `uri` that its upload returned. */
    async deleteIllustration(uri: string, { signal }: CallOptions = {}): Promise<void> {
      const { pathname } = new URL(uri, transport.baseUrl);
      await callService(transport, { method: 'DELETE', path: pathname, signal });
    },

    /**
     * Saves a scene or a recipe as a look: `client.keepLook({ from: { uri } })`. Pass the look's id as `recipeId` when
     * you render any design of the account. Saving the same content again returns the same look.
     */
    async keepLook(look: NewLookInput, { signal }: CallOptions = {}): Promise<Look> {
      return json({ method: 'POST', path: '/v1/looks', json: look, signal });
    },

    /** The looks of the account, newest first. */
    async looks({ signal }: CallOptions = {}): Promise<Look[]> {
      return (await json<{ looks: Look[] }>({ method: 'GET', path: '/v1/looks', signal })).looks;
    },

    /**
     * A look with its definition, `from`. To copy the look to another service, pass `from` to that client's
     * `keepLook({ from })`.
     */
    async getLook(id: string, { signal }: CallOptions = {}): Promise<LookWithSource> {
      return json({ method: 'GET', path: lookPath(id), signal });
    },

    /** Deletes a look; pictures made with it stay. */
    async deleteLook(id: string, { signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'DELETE', path: lookPath(id), signal });
    },

    /**
     * Queues up to 1,000 full versions at low priority. Photos can be included: `createBatch({ items: [{
     * file: 'mug.jpg', ...recipe }] }, { files: { 'mug.jpg': bytes } })`.
     */
    async createBatch(batch: NewBatchInput, options: BatchOptions = {}): Promise<Batch> {
      return postBatch(transport, batch, options);
    },

    /**
     * State of a batch and its first 200 items. For further pages, pass the previous page's `next` as
     * `after`.
     */
    async getBatch(id: string, options: CallOptions & { readonly after?: number } = {}): Promise<BatchPage> {
      return findBatch(transport, id, options);
    },

    /** Iterates over all items of a batch. */
    batchItems(id: string, options: CallOptions = {}): AsyncGenerator<BatchPage['items'][number], void> {
      return listItems(transport, id, options);
    },

    /** Resolves when the batch is completed or cancelled, even if items have failed: check `counts`. */
    async waitForBatch(id: string, options: WaitOptions = {}): Promise<Batch> {
      return awaitBatch(transport, id, options);
    },

    /** The pictures of a completed batch as a ZIP with a `manifest.json`. Stream it to a file. */
    async batchResults(id: string, { signal }: CallOptions = {}): Promise<AnsweredBytes> {
      return toBytes(
        await callService(transport, { method: 'GET', path: `${batchPath(id)}/results.zip`, signal }),
      );
    },

    /** Cancels a running batch and deletes its pictures, or deletes a finished batch. The designs are kept. */
    async deleteBatch(id: string, { signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'DELETE', path: batchPath(id), signal });
    },

    /** The catalog: every recipe with its variants and picture sizes. */
    async recipes({ signal }: CallOptions = {}): Promise<Recipes['recipes']> {
      return (await json<Recipes>({ method: 'GET', path: '/v1/recipes', signal })).recipes;
    },

    /** Signs a URL that shows a picture without a key, for `<img>` and feeds. Nothing is rendered until it is opened. */
    async pictureUrl(picture: NewPictureUrlInput, { signal }: CallOptions = {}): Promise<PictureUrl> {
      return json({ method: 'POST', path: '/v1/picture-urls', json: picture, signal });
    },

    /** The key with which a server signs picture URLs without a call (`signPictureUrl`). Keep it secret. */
    async pictureSigningKey({ signal }: CallOptions = {}): Promise<PictureSigningKey> {
      return json({ method: 'GET', path: '/v1/picture-urls/key', signal });
    },

    /**
     * Calls an interface of another service: `client.dropIn('/v1.0/removebg', { image_file: photo, size: 'auto' })`.
     * `fields` are those of that service, sent as a form; without them, the call is a GET. Rejects with that service's
     * code and words.
     */
    async dropIn(
      path: DropInPath | `${DropInPath}?${string}`,
      fields?: Readonly<Record<string, FileBytes | string | number | boolean>>,
      { signal }: CallOptions = {},
    ): Promise<Picture> {
      if (fields === undefined) return picture({ method: 'GET', path, signal }, {});
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === 'object') form.append(name, toBlob(value), 'photo');
        else form.append(name, String(value));
      }
      return picture({ method: 'POST', path, form, signal }, {});
    },

    /** The remaining credits of this key. */
    async credits({ signal }: CallOptions = {}): Promise<Credits> {
      return json({ method: 'GET', path: '/v1/credits', signal });
    },

    /** Every limit of the service. */
    async limits({ signal }: CallOptions = {}): Promise<Limits> {
      return json({ method: 'GET', path: '/v1/limits', signal });
    },

    /** Resolves if the process responds. */
    async health({ signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'GET', path: '/healthz', signal });
    },

    /** Resolves if the service is ready to work. Rejects with `not_ready`, whose message gives the reason. */
    async readiness({ signal }: CallOptions = {}): Promise<void> {
      await callService(transport, { method: 'GET', path: '/readyz', signal });
    },
  };
  return client;
}

function lookPath(id: string): string {
  return `/v1/looks/${encodeURIComponent(id)}`;
}

function projectPath(name: string): string {
  return `/v1/projects/${encodeURIComponent(name)}`;
}

function designPath(id: string): string {
  return `/v1/design/${encodeURIComponent(id)}`;
}
