/** One design: from the upload of its photo to its cutout, backdrops and scenes. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Design, PackshotError } from '../../../clients/typescript/src/packshot-client.ts';
import { createPreviewQueue } from '../pictures/preview-queue.ts';
import { IconButton } from '../shared/buttons.tsx';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { baseName } from '../shared/file-name.ts';
import { sizeOf } from '../shared/file-size.ts';
import { findKeptPictures, keepPictures, makePlace, makeThumb } from '../shared/kept-pictures.ts';
import { later } from '../shared/later.tsx';
import { useSession } from '../shared/session.ts';
import { Tabs } from '../shared/tabs.tsx';
import { usePhotoUrl } from '../shared/use-blob-url.ts';
import { useTask } from '../shared/use-task.ts';
import { t, translate } from '../shared/words.ts';
import { CutoutTab } from './cutout-tab.tsx';
import type { OpenDesign, Work } from './open-design.ts';

const BackdropTab = later(async () => (await import('./backdrop-tab.tsx')).BackdropTab);
const CorrectTab = later(async () => (await import('../correct/correct-tab.tsx')).CorrectTab);
const ScenesTab = later(async () => (await import('../scenes/scenes-tab.tsx')).ScenesTab);

/** In bytes. Smaller files are sent without asking for the service's limit first: it is hardly ever lower than this. */
const surelyTaken = 5_000_000;

type Phase = 'uploading' | 'fetching' | 'cutting' | 'opening';

interface Props {
  readonly work: Work;
  readonly onBack: () => void;
  /** The way to other photos of the list; gets the id of the design whose cutout is shown. */
  readonly walk?: (shownId: string | undefined) => ComponentChildren;
}

/** If `work` changes, the last design stays until the next one is there. */
export function Workspace({ work, onBack, walk }: Props): JSX.Element {
  const { client, hasKey, askForKey, announce, nameProject } = useSession();
  const task = useTask();
  const [phase, setPhase] = useState<Phase>(work.id ? 'opening' : work.url ? 'fetching' : 'uploading');
  const [photo, setPhoto] = useState<Blob | null>(work.photo ?? null);
  const [name, setName] = useState(work.name ?? 'photo');
  const [open, setOpen] = useState<OpenDesign | null>(null);
  const known = useRef({ serial: work.serial, id: work.id });
  const opened = useRef('');
  const title = useRef<HTMLHeadingElement>(null);

  async function openDesign(signal: AbortSignal): Promise<void> {
    if (known.current.serial !== work.serial) known.current = { serial: work.serial, id: work.id };
    known.current.id ??= await upload(signal);
    const { id } = known.current;
    const kept = work.photo ?? (await findKeptPictures(id))?.photo ?? null;
    setPhoto(kept);
    setPhase('cutting');
    // Loaded here, because the first screen does not need this code.
    const { findShownPhoto } = await import('../shared/shown-photo.ts');
    const photo = findShownPhoto(client, id, { photo: kept, signal });
    void photo.then(setPhoto);
    const recipes = open ? Promise.resolve(open.recipes) : client.recipes({ signal });
    // The promise is awaited below; until then, this avoids an unhandled rejection.
    recipes.catch(() => undefined);
    const design = await client.waitForCutout(id, { signal });
    const cutout = await (await client.cutout(id, { signal })).blob();
    const called = work.name ?? baseName(design.fileName ?? '');
    const next = { design, name: called, photo: await photo, cutout, recipes: await recipes };
    signal.throwIfAborted();
    opened.current = work.serial;
    setName(called);
    setOpen(next);
    if (!work.id) announce(t('The cutout is ready.'));
    // The list stores its own small pictures.
    if (!work.project) await keepPictures(id, { thumb: await makeThumb(cutout, 320) });
  }

  async function upload(signal: AbortSignal): Promise<string> {
    if (work.photo && work.photo.size > surelyTaken) await refuseTooLarge(work.photo, signal);
    const project = nameProject(name);
    const design = work.photo
      ? await client.upload(work.photo, {
          name: work.photo instanceof File ? work.photo.name : name,
          project,
          signal,
        })
      : await client.uploadFromUrl({ url: work.url ?? '', project }, { signal });
    history.replaceState(null, '', `#/d/${design.id}`);
    await makePlace(design.id, project);
    if (work.photo) await keepPictures(design.id, { photo: await makeThumb(work.photo, 1600) });
    return design.id;
  }

  /** Throws if the photo is too large; otherwise all of it would be sent before the service refuses it. */
  async function refuseTooLarge({ size }: Blob, signal: AbortSignal): Promise<void> {
    const { image } = await client.limits({ signal });
    if (size <= image.maxBytes) return;
    const detail = t('It has {size}, and this service takes at most {most}.', {
      size: sizeOf(size),
      most: sizeOf(image.maxBytes),
    });
    throw new PackshotError('file_too_large', detail, { status: 413 });
  }

  /** Shows the better cutout once the service has it. */
  async function followBetter({ id }: Design, signal: AbortSignal): Promise<void> {
    for await (const event of client.designEvents(id, { signal })) {
      if (event.type !== 'design' || event.design.improving) continue;
      const cutout = await (await client.cutout(id, { signal })).blob();
      setOpen((old) => old && { ...old, design: event.design, cutout });
      return;
    }
  }
  useEffect(() => {
    if (!open?.design.improving) return;
    const leaving = new AbortController();
    // Without it, the quick cutout stays.
    void followBetter(open.design, leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, [open?.design.id, open?.design.improving]);

  const begin = () => task.start(openDesign);
  useEffect(() => {
    title.current?.focus();
  }, []);
  // After the user has entered another key, try again.
  useEffect(() => {
    if (opened.current === work.serial) {
      // The user came back before another photo was loaded.
      task.stop();
      return;
    }
    if (hasKey) begin();
    else askForKey(t('A key is needed'));
  }, [client, work.serial]);

  return (
    <main class="work">
      <div class="work-head">
        <IconButton
          icon="arrowLeft"
          name={work.project ? t('Back to the photos') : t('Back to start')}
          onClick={onBack}
        />
        <h1 class="work-title ellipsis" ref={title} tabIndex={-1}>
          {name}
        </h1>
        {walk?.(open?.design.id)}
        {open && task.running && <div class="travel" />}
      </div>
      {task.error !== null ? (
        <div class="work-fault">
          <FaultNotice error={task.error} onRetry={begin} onOtherPhoto={onBack} />
        </div>
      ) : open ? (
        <Tables open={open} first={work.tab ?? 'cutout'} onChange={setOpen} />
      ) : (
        <Waiting phase={phase} photo={photo} since={task.running ? task.since : null} />
      )}
    </main>
  );
}

const tabs = [
  { id: 'cutout', title: 'Cutout' },
  { id: 'backdrop', title: 'Backdrop' },
  { id: 'scenes', title: 'Scenes' },
] as const;

interface TablesProps {
  readonly open: OpenDesign;
  /** The tab that is shown at first. */
  readonly first: 'cutout' | 'scenes';
  readonly onChange: (open: OpenDesign) => void;
}

/** The three tabs of a finished cutout; each keeps its state. */
function Tables({ open, first, onChange }: TablesProps): JSX.Element {
  const { onCorrected } = useSession();
  const { id: designId } = open.design;
  /** The design whose cutout is being corrected. */
  const [corrected, setCorrected] = useState('');
  /** The design whose photo is to be left as it is. */
  const [left, setLeft] = useState('');
  const correcting = corrected === designId;
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>(first);
  const [seen, setSeen] = useState(new Set<string>([first]));
  // A corrected cutout needs new pictures.
  const previews = useMemo(createPreviewQueue, [open.design.cutout?.revision, open.design.improving]);
  useEffect(() => () => previews.close(), [previews]);
  const choose = (next: typeof tab) => {
    setTab(next);
    setSeen(new Set([...seen, next]));
  };
  /** Switches tabs as a click on a tab does; called by buttons in other places. */
  const goOn = (next: typeof tab) => {
    choose(next);
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  const shared = { open, previews };
  return (
    <>
      <Tabs tabs={tabs} chosen={tab} onChoose={choose} />
      {tabs.map(({ id }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          hidden={tab !== id}
          class="table"
        >
          {id === 'cutout' && !correcting && (
            <CutoutTab
              open={open}
              onNext={goOn}
              onCorrect={() => setCorrected(designId)}
              onLeave={() => {
                setLeft(designId);
                goOn('backdrop');
              }}
            />
          )}
          {id === 'cutout' && correcting && (
            <CorrectTab
              key={designId}
              open={open}
              onDone={() => setCorrected('')}
              onCorrected={(next) => {
                onChange(next);
                onCorrected(next.design);
              }}
            />
          )}
          {id === 'backdrop' && seen.has(id) && (
            <BackdropTab
              {...shared}
              isUncut={left === designId}
              onUncut={() => setLeft('')}
              onScenes={() => goOn('scenes')}
            />
          )}
          {id === 'scenes' && seen.has(id) && <ScenesTab key={designId} {...shared} />}
        </div>
      ))}
    </>
  );
}

const phaseWords: Readonly<Record<Phase, string>> = {
  uploading: 'Uploading',
  fetching: 'Fetching the photo',
  cutting: 'Cutting out the product',
  opening: 'Opening',
};

interface WaitingProps {
  readonly phase: Phase;
  readonly photo: Blob | null;
  readonly since: number | null;
}

function Waiting({ phase, photo, since }: WaitingProps): JSX.Element {
  const url = usePhotoUrl(photo);
  const size = photo && phase === 'uploading' ? ` ${sizeOf(photo.size)}` : '';
  return (
    <div class="waiting">
      <div class="pane">
        {url ? <img class="waiting-photo" src={url} alt="" /> : <div class="skeleton waiting-blank" />}
      </div>
      <div class="waiting-words">
        <p role="status">
          {translate(phaseWords[phase])}
          {size}
          {since !== null && <Elapsed since={since} />}
        </p>
        <div class="travel" />
      </div>
    </div>
  );
}
