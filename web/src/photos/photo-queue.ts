/**
 * Coordinates many photos: uploads them, a few at a time and in order, and waits for each cutout.
 * Continues after a reload, a lost connection or a restart of the service.
 */
import {
  type Design,
  type PackshotClient,
  PackshotError,
} from '../../../clients/typescript/src/packshot-client.ts';
import { describeFailure } from '../shared/error-words.ts';
import { dropKeptPictures, keepPictures, makePlace, makeThumb } from '../shared/kept-pictures.ts';
import { type Dress, factsOf, newPhoto, type Photo, type PhotoState, photoOf } from './photo.ts';
import { dropFile, dropPhoto, findFile, keepFile, keepPhoto, listPhotos } from './photo-store.ts';

export type PhotoQueue = ReturnType<typeof createPhotoQueue>;

interface Lane {
  readonly takes: PhotoState;
  readonly most: number;
  readonly work: (client: PackshotClient, photo: Photo, signal: AbortSignal) => Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 15_000;
/** Error codes of temporary conditions, during which all photos wait in their current state. */
const passing = new Set([
  ...['network_error', 'unexpected_answer', 'not_ready', 'rate_limited', 'queue_full'],
  ...['deadline_exceeded', 'storage_unavailable', 'storage_full', 'upload_timeout'],
]);
/** Pause between two looks for better cutouts, in ms, and the photos that are asked for in one. */
const watchMs = 4_000;
const mostWatched = 4;
/**
 * Maximum longer side of a photo kept in the browser: large enough for correcting a cutout, small enough for
 * two hundred photos.
 */
const keptPhotoPx = 1600;

const fileLost = () =>
  new PackshotError('file_lost', 'This browser no longer has the file. Remove it here and add it again.');

export function createPhotoQueue() {
  let photos: readonly Photo[] = [];
  let client: PackshotClient | null = null;
  let pause: PackshotError | null = null;
  let pauses = 0;
  const listeners = new Set<() => void>();
  /** Files added since the page was loaded; files added earlier are in the store. */
  const files = new Map<string, File>();
  /** The work in progress for each photo, by the photo's key. */
  const running = new Map<string, { readonly by: AbortController; readonly done: Promise<void> }>();
  /** Projects whose photos are not worked on at the moment. */
  const held = new Set<string>();
  let noteLoaded: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => {
    noteLoaded = resolve;
  });
  let told = 0;
  let elsewhere = false;
  let watching = false;

  const lanes: readonly Lane[] = [
    { takes: 'waiting', most: 2, work: send },
    { takes: 'cutting', most: 2, work: follow },
  ];

  /** Notifies the listeners at most once per frame, because two hundred photos change often. */
  function tell(): void {
    if (told !== 0) return;
    const run = () => {
      told = 0;
      for (const listener of listeners) listener();
    };
    // Browsers do not run animation-frame callbacks in hidden tabs.
    told = document.hidden ? window.setTimeout(run, 200) : requestAnimationFrame(run);
  }

  function change(key: string, next: Partial<Photo>): void {
    photos = photos.map((photo) => (photo.key === key ? { ...photo, ...next } : photo));
    const photo = photos.find((each) => each.key === key);
    if (photo) void keepPhoto(photo);
    tell();
    wake();
    if (photo?.improving) void watch();
  }

  function wake(): void {
    for (const lane of lanes) {
      for (;;) {
        if (client === null || pause !== null || elsewhere) return;
        const busy = photos.filter(({ key }) => running.has(key));
        const laneBusy = busy.filter(({ state }) => laneOf(state) === lane).length;
        const next = photos.find(
          ({ key, state, project }) => state === lane.takes && !running.has(key) && !held.has(project),
        );
        if (!next || laneBusy >= lane.most) break;
        const work = { by: new AbortController(), done: Promise.resolve() };
        running.set(next.key, work);
        work.done = run(lane, client, next, work.by.signal);
      }
    }
  }

  const laneOf = (state: PhotoState): Lane | undefined =>
    lanes.find(({ takes }) => takes === (state === 'sending' ? 'waiting' : state));

  async function run(lane: Lane, by: PackshotClient, photo: Photo, signal: AbortSignal): Promise<void> {
    const { key } = photo;
    try {
      await lane.work(by, photo, signal);
      pauses = 0;
    } catch (error) {
      if (!signal.aborted) fail(key, error, lane);
    } finally {
      running.delete(key);
      wake();
    }
  }

  async function send(by: PackshotClient, photo: Photo, signal: AbortSignal): Promise<void> {
    const { key, attempt, fileName, project, isUncut } = photo;
    const file = files.get(key) ?? (await findFile(key));
    if (!file) {
      throw fileLost();
    }
    change(key, { state: 'sending' });
    const idempotencyKey = `${key}-${attempt}`;
    // The list is judged by its cutouts, so that none of them may be a quick one.
    const options = { name: fileName, project, urgency: 'batch', idempotencyKey, signal } as const;
    const design = await by.upload(file, { ...options, ...(isUncut && { cutout: 'none' }) });
    if (!photos.some((each) => each.key === key)) {
      // It was removed meanwhile.
      await by.deleteDesign(design.id);
      return;
    }
    // An opened project may have listed the design before this answer came.
    photos = photos.filter((each) => each.designId !== design.id || each.key === key);
    await makePlace(design.id, project);
    await keepPictures(design.id, { photo: await makeThumb(file, keptPhotoPx) });
    change(key, { state: 'cutting', designId: design.id });
  }

  async function follow(by: PackshotClient, photo: Photo, signal: AbortSignal): Promise<void> {
    const { key, designId } = photo;
    const design = await by.getDesign(designId ?? '', { wait: true, signal });
    if (design.error) throw new PackshotError(design.error.code, design.error.detail, { status: 422 });
    if (design.status !== 'ready') return;
    change(key, { state: 'ready', ...factsOf(design), fault: null });
    files.delete(key);
    void dropFile(key);
  }

  /** Asks for the better cutouts that the service makes while it is idle, a few photos at a time. */
  async function watch(): Promise<void> {
    if (watching) return;
    watching = true;
    for (let turn = 0; ; turn += mostWatched) {
      await new Promise((resolve) => setTimeout(resolve, watchMs));
      const better = photos.filter(({ improving, state }) => improving && state === 'ready');
      if (better.length === 0) break;
      if (client === null || pause !== null || elsewhere) continue;
      const by = client;
      const asked = Array.from(
        { length: Math.min(mostWatched, better.length) },
        (_, at) => better[(turn + at) % better.length]!,
      );
      await Promise.all(
        asked.map(async ({ key, designId }) => {
          try {
            const design = await by.getDesign(designId ?? '');
            if (!design.improving) change(key, factsOf(design));
          } catch (error) {
            // Deleted or expired.
            if (error instanceof PackshotError && error.status === 404) change(key, { improving: false });
          }
        }),
      );
    }
    watching = false;
  }

  /**
   * After a transient failure, all photos wait for some time; after a refused key, they wait for another key. After any
   * other failure, only this photo fails.
   */
  function fail(key: string, error: unknown, lane: Lane): void {
    const { remedy, help, requestId } = describeFailure(error);
    const known = error instanceof PackshotError ? error : new PackshotError('page', help);
    const { code, status, message } = known;
    if (!passing.has(code) && remedy !== 'key') {
      change(key, { state: 'failed', fault: { code, message, status, requestId } });
      return;
    }
    pause = known;
    if (remedy === 'key') client = null;
    else {
      const waitMs = Math.min(longestPauseMs, firstPauseMs * 2 ** pauses++);
      setTimeout(() => {
        pause = null;
        tell();
        wake();
      }, waitMs);
    }
    change(key, { state: lane.takes });
  }

  async function load(): Promise<void> {
    const kept = await listPhotos();
    const added = photos.filter(({ key }) => !kept.some((each) => each.key === key));
    photos = [
      ...kept.map((photo): Photo => (photo.state === 'sending' ? { ...photo, state: 'waiting' } : photo)),
      ...added,
    ];
    noteLoaded();
    tell();
    wake();
    void watch();
  }

  /** Removes photos here only. */
  async function drop(keys: readonly string[]): Promise<void> {
    const gone = photos.filter(({ key }) => keys.includes(key));
    photos = photos.filter(({ key }) => !keys.includes(key));
    tell();
    for (const { key, designId } of gone) {
      running.get(key)?.by.abort();
      files.delete(key);
      await dropPhoto(key);
      if (designId !== null) await dropKeptPictures(designId);
    }
  }

  return {
    photos: () => photos,
    /** Resolves once the photos of earlier visits are in the list. */
    loaded,
    /** Why nothing is progressing at the moment. */
    pause: () => pause,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Whether another tab is processing the photos. */
    isElsewhere: () => elsewhere,
    /** Continues where the last visit ended, once no other tab processes the photos. */
    open(): void {
      if (!navigator.locks) {
        // Locks are unavailable on pages loaded over plain HTTP from another machine.
        void load();
        return;
      }
      elsewhere = true;
      void navigator.locks.request('packshot-photos', async () => {
        elsewhere = false;
        await load();
        return new Promise(() => undefined);
      });
    },
    /** Uses this client from now on; null while there is no key. */
    serve(next: PackshotClient | null): void {
      client = next;
      pause = null;
      tell();
      wake();
    },
    add(added: readonly File[], project: string, dress: Dress): void {
      const fresh = added.map((file) => ({ photo: newPhoto(file, project, dress), file }));
      photos = [...photos, ...fresh.map(({ photo }) => photo)];
      void navigator.storage?.persist?.();
      tell();
      for (const { photo, file } of fresh) {
        files.set(photo.key, file);
        void keepPhoto(photo);
        void keepFile(photo.key, file).then((kept) => kept || change(photo.key, { unkept: true }));
      }
      wake();
    },
    /** The file of a photo; undefined once the photo is cut out, or after a reload if the file could not be stored. */
    async file(key: string): Promise<File | undefined> {
      return files.get(key) ?? findFile(key);
    },
    change,
    /** Takes over the state of a project's designs on the service, including those that were uploaded elsewhere. */
    adopt(project: string, designs: readonly Design[], dress: Dress): void {
      const known = new Map(photos.map((photo) => [photo.designId, photo]));
      // The designs of uploads whose answer is not here yet; the service keeps 200 characters.
      const arriving = photos.filter(
        ({ project: own, state }) => own === project && (state === 'waiting' || state === 'sending'),
      );
      const names = new Set(arriving.map(({ fileName }) => fileName.slice(0, 200)));
      for (const design of designs) {
        const photo = known.get(design.id);
        const ready = photo?.state === 'ready' && design.status === 'ready';
        if (photo) change(photo.key, { project, ...(ready && factsOf(design)) });
        else if (!names.has(design.fileName ?? '')) {
          photos = [...photos, photoOf(design, project, dress)];
          change(photos.at(-1)!.key, {});
          void makePlace(design.id, project);
        }
      }
      photos = [...photos].sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    drop,
    /** Runs `work` while no photo of the project is being uploaded; the uploads in progress are awaited. */
    async apart<Result>(project: string, work: () => Promise<Result>): Promise<Result> {
      held.add(project);
      try {
        const sending = photos.filter((photo) => photo.project === project && photo.state === 'sending');
        await Promise.all(sending.map(({ key }) => running.get(key)?.done));
        return await work();
      } finally {
        held.delete(project);
        wake();
      }
    },
    /**
     * Uploads the photos again with new idempotency keys, because the service remembers how the last upload ended. The
     * failed designs are deleted: they would stay in the project. A design stays if only another browser has its file.
     */
    async retry(keys: readonly string[], isUncut = false): Promise<void> {
      for (const { key, attempt, designId, isUncut: wasUncut } of photos.filter(
        (each) => keys.includes(each.key) && each.state === 'failed',
      )) {
        if (designId !== null && !(files.get(key) ?? (await findFile(key)))) {
          fail(key, fileLost(), lanes[0]!);
          continue;
        }
        if (designId !== null) void client?.deleteDesign(designId).catch(() => undefined);
        change(key, {
          state: 'waiting',
          fault: null,
          designId: null,
          attempt: attempt + 1,
          isUncut: isUncut || wasUncut === true,
        });
      }
    },
    /** Removes the photos from the list and deletes their designs on the service. */
    async remove(keys: readonly string[]): Promise<void> {
      const gone = photos.filter(({ key }) => keys.includes(key));
      await drop(keys);
      // Ignore errors: a design that the service no longer has is already deleted, and a design that the service
      // cannot delete now is listed again when the project is next opened.
      for (const { designId } of gone)
        if (designId !== null) await client?.deleteDesign(designId).catch(() => undefined);
    },
  };
}
