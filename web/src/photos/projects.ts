/**
 * The projects of the account: as the service lists them, and those of this browser whose photos are not uploaded yet.
 * Each drop of photos becomes a project.
 */
import {
  type Design,
  type PackshotClient,
  PackshotError,
  type Project,
} from '../../../clients/typescript/src/packshot-client.ts';
import { dropKeptPictures, keepPictures, listKeptPictures } from '../shared/kept-pictures.ts';
import { noteProjects } from '../shared/project-names.ts';
import { t } from '../shared/words.ts';
import { forgetOrders, moveOrder } from './orders.ts';
import { type Dress, isDoubtful, isSettled, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export interface ProjectFacts {
  readonly name: string;
  readonly photos: number;
  /** When its newest photo was uploaded, in ms since 1970; now if none is. */
  readonly at: number;
  /** Photos that are not cut out yet, doubtful or failed, as far as this browser knows them. */
  readonly moving: number;
  readonly doubtful: number;
  readonly failed: number;
}

export type Projects = ReturnType<typeof createProjects>;

export function createProjects(queue: PhotoQueue) {
  let client: PackshotClient | null = null;
  /** Null until the service has listed them. */
  let known: readonly Project[] | null = null;
  let fault: unknown = null;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  const ofProject = (name: string): Photo[] => queue.photos().filter(({ project }) => project === name);

  /** Asks the service for the list, and forgets what it no longer has. */
  async function refresh(): Promise<void> {
    if (client === null) return;
    const uploaded = new Set(queue.photos().filter(isUploaded));
    const kept = await listKeptPictures();
    try {
      known = await client.projects();
      fault = null;
    } catch (error) {
      fault = error;
      tell();
      return;
    }
    noteProjects(known.length > 0);
    tell();
    const names = new Set(known.map(({ name }) => name));
    const gone = queue.photos().filter((photo) => uploaded.has(photo) && !names.has(photo.project));
    await queue.drop(gone.map(({ key }) => key));
    for (const { id, project } of kept) if (!names.has(project)) await dropKeptPictures(id);
    forgetOrders(names);
  }

  function list(): ProjectFacts[] {
    const facts = new Map<string, ProjectFacts>();
    for (const { name, designs, lastAt } of known ?? [])
      facts.set(name, { name, photos: designs, at: Date.parse(lastAt), ...none });
    for (const name of new Set(queue.photos().map(({ project }) => project))) {
      const photos = ofProject(name);
      const { at = Date.now(), photos: designs = 0 } = facts.get(name) ?? {};
      facts.set(name, {
        name,
        photos: Math.max(designs, photos.length),
        at,
        moving: photos.filter((photo) => !isSettled(photo)).length,
        doubtful: photos.filter(isDoubtful).length,
        failed: photos.filter(({ state }) => state === 'failed').length,
      });
    }
    return [...facts.values()].sort((a, b) => b.at - a.at);
  }

  /** A change of a project must reach the service, and the tab that uploads its photos. */
  function refuseUnlessAble(): void {
    if (client === null) throw new PackshotError('missing_api_key', t('Enter a key first.'));
    if (queue.isElsewhere())
      throw new PackshotError(
        'busy_elsewhere',
        t('Another tab of this browser is working on the photos. Do it there, or close that tab.'),
      );
  }

  return {
    list,
    refresh,
    /** Why the service's list is not here. */
    fault: () => fault,
    isListed: () => known !== null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      const leave = queue.subscribe(listener);
      return () => {
        leave();
        listeners.delete(listener);
      };
    },
    /** Uses this client from now on; null while there is no key. */
    serve(next: PackshotClient | null): void {
      client = next;
      known = null;
      fault = null;
      if (next === null) noteProjects(false);
      tell();
      void refresh();
    },
    isTaken: (name: string) => list().some((project) => project.name === name),
    /** A name for new photos: the wish, with a number if there is a project of this name. */
    freeName(wish: string): string {
      const taken = new Set(list().map(({ name }) => name));
      const name = toProjectName(wish.slice(0, longestName)) ?? 'Photos';
      let free = name;
      for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
      return free;
    },
    /** Takes over the project's photos from the service; `dress` is for those that were uploaded elsewhere. */
    async open(name: string, dress: Dress, signal: AbortSignal): Promise<void> {
      await queue.loaded;
      const before = new Set(ofProject(name).filter(isUploaded));
      const designs: Design[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await client?.listDesigns({ project: name, after, signal });
        designs.push(...(page?.designs ?? []));
        after = page?.next ?? null;
      }
      if (client === null) return;
      const ids = new Set(designs.map(({ id }) => id));
      const gone = ofProject(name).filter((photo) => before.has(photo) && !ids.has(photo.designId ?? ''));
      await queue.drop(gone.map(({ key }) => key));
      queue.adopt(name, designs, dress);
    },
    /** A design whose cutout stands for the project, among the newest. */
    async findCover(name: string, signal: AbortSignal): Promise<string | undefined> {
      const mine = ofProject(name).find(({ state }) => state === 'ready')?.designId;
      if (mine) return mine;
      const page = await client?.listDesigns({ project: name, limit: 10, signal });
      return page?.designs.find(({ status }) => status === 'ready')?.id;
    },
    /** If another project has the new name, the two become one. */
    async rename(name: string, newName: string): Promise<void> {
      refuseUnlessAble();
      await queue.apart(name, async () => {
        if (ofProject(name).some(isUploaded) || known?.some((project) => project.name === name))
          await client?.renameProject(name, newName);
        for (const { key, attempt, designId } of ofProject(name)) {
          // The idempotency key of an upload stands for its project too.
          queue.change(key, { project: newName, ...(designId === null && { attempt: attempt + 1 }) });
        }
        for (const { id, project } of await listKeptPictures())
          if (project === name) await keepPictures(id, { project: newName });
        moveOrder(name, newName);
      });
      await refresh();
    },
    /** Deletes all photos of the project, and everything made from them. */
    async erase(name: string): Promise<void> {
      refuseUnlessAble();
      await queue.apart(name, async () => {
        await client?.deleteProject(name).catch((error) => {
          // It has expired, was deleted elsewhere, or was never uploaded.
          if (!(error instanceof PackshotError && error.code === 'project_not_found')) throw error;
        });
        await queue.drop(ofProject(name).map(({ key }) => key));
      });
      await refresh();
    },
  };
}

/** The service takes 100 characters; this leaves some for a number. */
const longestName = 90;

/** The name as the service keeps it; null for names that the service refuses. */
export function toProjectName(text: string): string | null {
  const name = text
    .normalize()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return /^\.{0,2}$/.test(name) ? null : name;
}

const none = { moving: 0, doubtful: 0, failed: 0 };

const isUploaded = ({ designId }: Photo): boolean => designId !== null;
