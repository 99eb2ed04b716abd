/** The screen for many photos: a grid that fills as they are cut out, one look for all photos, and one ZIP. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { backdropOf, choiceFor, firstChoice, savedChoice } from '../pictures/backdrop-choice.ts';
import { createPreviewQueue } from '../pictures/preview-queue.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { type English, t, translate } from '../shared/words.ts';
import { LookPanel } from './look-panel.tsx';
import { MakeBar } from './make-bar.tsx';
import { type Filter, fits, inOrder, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { PhotoTile } from './photo-tile.tsx';
import { PhotosHead } from './photos-head.tsx';
import type { Projects } from './projects.ts';
import { Selection } from './selection.tsx';
import { dressFrom, forgetLook, readSettings, type Settings, useSettings, wears } from './settings.ts';
import { Sheet, useWide } from './sheet.tsx';
import { useBatch } from './use-batch.ts';
import { useCatalogue } from './use-catalogue.ts';
import { fixesOf, useChecks } from './use-checks.ts';
import { usePhotos } from './use-photos.ts';

interface DrawnTile {
  readonly photo: Photo;
  readonly isChosen: boolean;
  readonly tile: JSX.Element;
}

interface Props {
  readonly queue: PhotoQueue;
  readonly projects: Projects;
  readonly project: string;
  /** The design of the photo that is shown instead of the list; null if the list is shown. */
  readonly opened: string | null;
  /** Called with the keys of the photos that are shown, in their order. */
  readonly onOpen: (photo: Photo, order: readonly string[], tab?: 'scenes') => void;
  readonly onRenamed: (name: string) => void;
  readonly onHome: () => void;
}

export function PhotosScreen(props: Props): JSX.Element {
  const { queue, projects, project, opened } = props;
  const photos = usePhotos(queue, project);
  const { client, hasKey } = useSession();
  const opening = useTask();
  const open = () => opening.start((signal) => projects.open(project, readSettings(), signal));
  useEffect(() => {
    if (hasKey) open();
  }, [client]);
  const { recipes, looks, reload } = useCatalogue(opened === null);
  const previews = useMemo(createPreviewQueue, []);
  useEffect(() => () => previews.close(), []);
  const [settings, changeSettings] = useSettings(photos);
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The last choice for the selected photos. */
  const [someChoice, setSomeChoice] = useState<Settings['choice'] | null>(null);
  const checks = useChecks(queue, photos, settings);
  const batch = useBatch(queue, project);
  const wide = useWide();
  const [sheetOpen, setSheetOpen] = useState(false);
  /** How often all channels were asked for; on a phone, they are in the sheet. */
  const [channelsAsked, setChannelsAsked] = useState(0);
  useLayoutEffect(() => {
    if (channelsAsked === 0) return;
    const all = document.querySelector('#channels');
    all?.scrollIntoView({ block: 'start' });
    all?.querySelector('button')?.focus({ preventScroll: true });
  }, [channelsAsked]);

  const selected = photos.filter(({ key }) => chosen.has(key));
  const forAll = selected.length === 0;
  const targets = forAll ? photos : selected;
  const ready = targets.filter(({ state }) => state === 'ready');

  /** An upload that ends later changes what is chosen then, but only the photos for which it was begun. */
  const panelChoice = useRef({ all: settings.choice, some: settings.choice });
  panelChoice.current = {
    all: settings.choice,
    some: someChoice && wears(selected, someChoice) ? someChoice : settings.choice,
  };
  const choiceNow = () => panelChoice.current[forAll ? 'all' : 'some'];
  const targetsNow = () =>
    queue.photos().filter((photo) => (forAll ? photo.project === project : chosen.has(photo.key)));
  const dressOf = (choice: Settings['choice']) => ({
    choice,
    look: backdropOf(choice, [...looks, ...recipes]),
  });
  const wear = ({ key }: Photo, choice: Settings['choice']) =>
    queue.change(key, { ...dressOf(choice), unmade: null });
  /** A look for some photos is not the look of photos that are added later. */
  function show(choice: Settings['choice']): void {
    if (forAll) changeSettings(dressOf(choice));
    else setSomeChoice(choice);
  }
  function dress(change: Partial<Settings['choice']>): void {
    const old = choiceNow();
    show({ ...old, ...change });
    for (const photo of targetsNow()) wear(photo, choiceFor(photo.choice, old, change));
  }
  /** Only photos change that look as what was saved. */
  const save: Parameters<typeof LookPanel>[0]['onLookSaved'] = (look, from) => {
    const saved = savedChoice(choiceNow(), look, from, recipes);
    if (saved) show(saved);
    for (const photo of targetsNow()) {
      const choice = savedChoice(photo.choice, look, from, recipes);
      if (choice) wear(photo, choice);
    }
  };
  function forget({ id }: { readonly id: string }): void {
    forgetLook(queue, id, recipes);
    if (choiceNow().chosen === id) show(firstChoice);
  }
  function fix(): void {
    const fixes = fixesOf(ready);
    for (const { photo, choice } of fixes) wear(photo, choice);
    const fixed = new Set(fixes.map(({ photo }) => photo.key));
    checks.check(
      queue.photos().filter(({ key }) => fixed.has(key)),
      settings,
    );
  }
  function choose(key: string, isChosen: boolean): void {
    setChosen((old) => {
      const next = new Set(old);
      if (isChosen) next.add(key);
      else next.delete(key);
      return next;
    });
  }
  const leave = useReturn(queue, opened);
  /** The tiles are kept, and what they call is not. */
  const latest = useRef<(photo: Photo, tab?: 'scenes') => void>(() => undefined);
  latest.current = (photo, tab) => {
    leave();
    setSheetOpen(false);
    props.onOpen(
      photo,
      shown.map(({ key }) => key),
      tab,
    );
  };
  const tiles = useRef(new Map<string, DrawnTile>());
  /**
   * Returns the same element for an unchanged photo, so that Preact skips the tile; of two hundred photos,
   * only a few change per frame.
   */
  function tileOf(photo: Photo): JSX.Element {
    const { key } = photo;
    const isChosen = chosen.has(key);
    const drawn = tiles.current.get(key);
    if (drawn?.photo === photo && drawn.isChosen === isChosen) return drawn.tile;
    const tile = (
      <PhotoTile
        key={key}
        {...{ photo, queue, previews }}
        chosen={isChosen}
        onChoose={(next) => choose(key, next)}
        onOpen={() => latest.current(photo)}
        onRemove={() => void queue.remove([key])}
      />
    );
    tiles.current.set(key, { photo, isChosen, tile });
    return tile;
  }

  const panel = (
    <LookPanel
      {...{ recipes, looks, targets, forAll, previews, checks }}
      settings={{ ...settings, choice: choiceNow() }}
      onSettings={changeSettings}
      onChoice={dress}
      onFix={fix}
      onLooks={reload}
      onLookSaved={save}
      onLookDeleted={forget}
      onScenes={ready[0] && (() => latest.current(ready[0]!, 'scenes'))}
    />
  );
  const bar = (
    <MakeBar
      {...{ ready, settings, batch }}
      catalogue={[...looks, ...recipes]}
      onSettings={changeSettings}
      onMore={() => {
        setSheetOpen(!wide);
        setChannelsAsked(channelsAsked + 1);
      }}
    />
  );
  const shown = inOrder(photos).filter((photo) => fits(photo, filter));
  const isOpening = opening.running && photos.length === 0;
  return (
    <main class="photos" hidden={opened !== null}>
      <section class="photos-main" aria-label={t('Photos')}>
        <PhotosHead
          {...props}
          {...{ photos, filter }}
          onFilter={setFilter}
          onAdd={(files) => queue.add(files, project, dressFrom(settings))}
        />
        {queue.isElsewhere() && (
          <p class="notice">{t('These photos are open in another tab. Close that tab to continue here.')}</p>
        )}
        <FaultNotice error={opening.error} onRetry={open} />
        {selected.length > 0 && (
          <Selection
            {...{ queue, selected }}
            onNone={() => setChosen(new Set())}
            onAll={() => setChosen(new Set(shown.map(({ key }) => key)))}
          />
        )}
        {shown.length === 0 && (
          <p class="photos-empty soft">
            {isOpening ? t('Opening the project') : translate(emptyWords[filter])}
          </p>
        )}
        <ul class={selected.length > 0 ? 'photo-grid choosing' : 'photo-grid'}>{shown.map(tileOf)}</ul>
      </section>
      {/* Not behind an open photo, whose panel has fields of the same names. */}
      {opened !== null ? null : wide ? (
        <aside class="photos-panel panel" aria-label={t('Look and files')}>
          {panel}
          {bar}
        </aside>
      ) : (
        <div class="photos-foot">
          <Sheet title={translate(settings.look.title)} open={sheetOpen} onOpen={setSheetOpen}>
            {panel}
          </Sheet>
          {bar}
        </div>
      )}
    </main>
  );
}

const emptyWords: Readonly<Record<Filter, English>> = {
  all: 'No photos here. Drop photos or a folder anywhere on this page.',
  doubtful: 'No cutout is doubtful.',
  failed: 'Nothing failed.',
  refused: 'No checked picture fails.',
  done: 'No photo is done yet.',
};

/**
 * Back from an opened photo, the list is scrolled as before, and the tile of the photo that was last open has the focus.
 * Returns a function to be called before a photo is opened.
 */
function useReturn(queue: PhotoQueue, opened: string | null): () => void {
  const last = useRef<string | null>(null);
  const scrolled = useRef(0);
  useLayoutEffect(() => {
    if (opened === null && last.current !== null) {
      scrollTo(0, scrolled.current);
      const key = queue.photos().find(({ designId }) => designId === last.current)?.key;
      const tile = document.querySelector<HTMLElement>(`.photo[data-key="${key}"] button.photo-open`);
      tile?.focus({ preventScroll: true });
      tile?.scrollIntoView({ block: 'nearest' });
    }
    last.current = opened;
  }, [opened]);
  return () => {
    scrolled.current = scrollY;
  };
}
