/** The whole page: the current screen, the key, and messages across screens. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createPackshotClient, type Retry } from '../../clients/typescript/src/packshot-client.ts';
import type { Work } from './design/open-design.ts';
import { Workspace } from './design/workspace.tsx';
import { HomeScreen } from './home/home-screen.tsx';
import { useIncomingPhotos, workOfFile } from './home/use-incoming-photos.ts';
import type { Photo } from './photos/photos-room.ts';
import { findFirstKey, findRememberedKey, forgetKey, rememberKey } from './shared/api-key.ts';
import { Bar } from './shared/bar.tsx';
import { FaultNotice } from './shared/fault-notice.tsx';
import { Icon } from './shared/icons.tsx';
import { KeyDialog } from './shared/key-dialog.tsx';
import { type Session, SessionProvider } from './shared/session.ts';
import { usePhotosRoom } from './use-photos-room.ts';

interface KeyQuestion {
  readonly why: string | undefined;
  /** Work that waits for the key. */
  readonly next?: () => void;
}

/** The current screen: the start, one design, or many photos. */
type Place = { readonly screen: 'home' | 'photos' } | { readonly screen: 'work'; readonly work: Work };

export function Studio(): JSX.Element {
  const [key, setKey] = useState(findRememberedKey);
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [place, setPlace] = useState(readAddress);
  const [words, announce] = useState('');
  const [retry, setRetry] = useState<(Retry & { at: number }) | null>(null);
  const [online, setOnline] = useState(navigator.onLine);
  const [greeting, setGreeting] = useState('');

  useEffect(() => {
    if (key !== null) return;
    void findFirstKey().then((first) => {
      if (first === null) return;
      keep(first);
      setGreeting('The key that this service made at its first start is now remembered in this browser.');
    });
  }, []);
  useEffect(() => {
    const follow = () => setPlace(readAddress());
    const listen = () => setOnline(navigator.onLine);
    addEventListener('popstate', follow);
    addEventListener('online', listen);
    addEventListener('offline', listen);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('online', listen);
      removeEventListener('offline', listen);
    };
  }, []);
  useEffect(() => {
    if (!retry) return;
    const timer = setTimeout(() => setRetry(null), retry.waitMs + 500);
    return () => clearTimeout(timer);
  }, [retry]);
  useEffect(() => {
    if (!greeting) return;
    const timer = setTimeout(() => setGreeting(''), 9_000);
    return () => clearTimeout(timer);
  }, [greeting]);

  const dress = useRef<Session['dressAll']>(() => undefined);
  const list = useRef<Pick<Session, 'findDress' | 'dress'> | null>(null);
  const corrected = useRef<Session['onCorrected']>(() => undefined);
  const askForKey = useCallback((why?: string) => setQuestion({ why }), []);
  const session = useMemo<Session>(
    () => ({
      client: createPackshotClient({
        baseUrl: location.origin,
        apiKey: key ?? '',
        onRetry: (next) => setRetry({ ...next, at: Date.now() }),
      }),
      hasKey: key !== null,
      askForKey,
      announce,
      onCorrected(design) {
        corrected.current(design);
      },
      findDress: (designId) => list.current?.findDress(designId),
      dress(designId, backdrop, choice) {
        list.current?.dress(designId, backdrop, choice);
      },
      dressAll(backdrop, choice) {
        dress.current(backdrop, choice);
      },
    }),
    [key],
  );

  function keep(next: string): void {
    rememberKey(next);
    setKey(next);
  }
  function go(address: string, next: Place): void {
    history.pushState(null, '', address);
    setPlace(next);
    scrollTo(0, 0);
  }
  const goHome = () => go(location.pathname, { screen: 'home' });
  const goToPhotos = () => go('#/photos', { screen: 'photos' });
  /** Calls `next` immediately, or as soon as there is a key. */
  function withKey(next: () => void): void {
    if (key === null) setQuestion({ why: 'A key is needed', next });
    else next();
  }
  const begin = (work: Work) =>
    withKey(() => go(work.id ? `#/d/${work.id}` : '#/new', { screen: 'work', work }));
  function take(files: readonly File[]): void {
    const [first] = files;
    if (!first) return;
    if (files.length === 1 && place.screen !== 'photos') begin(workOfFile(first));
    else {
      withKey(() => {
        photos.add(files);
        goToPhotos();
      });
    }
  }
  const photos = usePhotosRoom(key === null ? null : session.client);
  const dragging = useIncomingPhotos({ onFiles: take, onWork: begin });
  function answer(next: string): void {
    keep(next);
    setQuestion(null);
    question?.next?.();
  }
  const openListed = ({ designId, name }: Photo) => {
    const work: Work = { serial: designId ?? '', id: designId ?? '', name, listed: true };
    go(`#/photos/${designId}`, { screen: 'work', work });
  };
  const { room, queue } = photos;
  corrected.current = (design) => {
    if (queue) room?.noteCorrection(queue, design);
  };
  list.current = room &&
    queue && {
      findDress: (designId) => room.findDress(queue, designId),
      dress: (designId, backdrop, choice) => room.dressOne(queue, designId, backdrop, choice),
    };
  dress.current = (backdrop, choice) => {
    if (queue) room?.dressAll(queue, backdrop, choice);
    goToPhotos();
  };

  return (
    <SessionProvider value={session}>
      <div class="studio">
        <header class="masthead">
          <a
            class="wordmark"
            href="/"
            onClick={(event) => {
              event.preventDefault();
              goHome();
            }}
          >
            <img src={iconUrl} alt="" /> Packshot
          </a>
          <a class="button plain" href="/docs">
            <Icon name="code" /> API
          </a>
          <button type="button" class="button plain" onClick={() => askForKey()}>
            <Icon name="key" /> {key === null ? 'Enter key' : `Key …${key.slice(-4)}`}
          </button>
        </header>
        {place.screen === 'work' ? (
          <Workspace
            key={place.work.serial}
            work={place.work}
            onBack={place.work.listed ? goToPhotos : goHome}
          />
        ) : place.screen === 'home' ? (
          <HomeScreen dragging={dragging} onWork={begin} onFiles={take}>
            {room && queue && <room.PhotosCard queue={queue} onOpen={goToPhotos} />}
          </HomeScreen>
        ) : room && queue ? (
          <room.PhotosScreen queue={queue} onOpen={openListed} onHome={goHome} />
        ) : (
          <main>{photos.fault !== null && <FaultNotice error={photos.fault} />}</main>
        )}
        {place.screen !== 'home' && dragging && (
          <div class="drop-anywhere">
            {place.screen === 'photos' ? 'Release to add these photos' : 'Release to start with this photo'}
          </div>
        )}
        <Bar online={online} retry={retry} greeting={greeting} />
        <p class="hidden" role="status">
          {words}
        </p>
        {question && (
          <KeyDialog
            why={question.why}
            hasKey={key !== null}
            onSave={answer}
            onForget={() => {
              forgetKey();
              setKey(null);
              setQuestion(null);
            }}
            onClose={() => setQuestion(null)}
          />
        )}
      </div>
    </SessionProvider>
  );
}

const iconUrl = new URL('../icon.svg', import.meta.url).href;

/** Reads the URL's hash, `#/d/{id}`, `#/photos` or `#/photos/{id}`, so that reload and the back button work. */
function readAddress(): Place {
  const [, list, id] = /^#\/(d|photos)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (id) return { screen: 'work', work: { serial: id, id, listed: list === 'photos' } };
  return { screen: list === 'photos' ? 'photos' : 'home' };
}
