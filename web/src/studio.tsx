/** The whole page: the current screen, the key, and messages across screens. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  createPackshotClient,
  type Design,
  type Recipes,
  type Retry,
} from '../../clients/typescript/src/packshot-client.ts';
import type { Work } from './design/open-design.ts';
import { Workspace } from './design/workspace.tsx';
import { HomeScreen } from './home/home-screen.tsx';
import { useIncomingPhotos, workOfFile } from './home/use-incoming-photos.ts';
import type { Photo } from './photos/photos-room.ts';
import type { Backdrop, BackdropChoice } from './pictures/backdrop-choice.ts';
import { findFirstKey, findRememberedKey, redeemPhoneLink, rememberKey } from './shared/api-key.ts';
import { Bar } from './shared/bar.tsx';
import { FaultNotice } from './shared/fault-notice.tsx';
import { Icon } from './shared/icons.tsx';
import { KeyDialog } from './shared/key-dialog.tsx';
import { hadProjects } from './shared/project-names.ts';
import { type Session, SessionProvider } from './shared/session.ts';
import { t } from './shared/words.ts';
import { type PhotosRoom, usePhotosRoom } from './use-photos-room.ts';

interface KeyQuestion {
  readonly why: string | undefined;
  /** Work that waits for the key. */
  readonly next?: () => void;
}

/** The current screen: the start, the photos of a project, or one design. */
type Place =
  | { readonly screen: 'home' }
  | { readonly screen: 'photos'; readonly project: string }
  | { readonly screen: 'work'; readonly work: Work };

export function Studio(): JSX.Element {
  const [key, setKey] = useState(findRememberedKey);
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [place, setPlace] = useState(readAddress);
  const [words, announce] = useState('');
  const [retry, setRetry] = useState<(Retry & { at: number }) | null>(null);
  const [online, setOnline] = useState(navigator.onLine);
  const [greeting, setGreeting] = useState('');

  useEffect(() => {
    void redeemPhoneLink().then((given) => {
      if (given === undefined) return;
      if (given === 'spent')
        setQuestion({ why: t('This link was used already, or is older than ten minutes. Make a new one.') });
      else if (given === 'kept') setGreeting(t('This browser has a key already, so the link was not used.'));
      else if (given === 'failed')
        setGreeting(t('The link could not be used now. Reload the page to try again.'));
      else {
        keep(given.key);
        setGreeting(t('This phone has a key of its own now.'));
      }
    });
    if (key !== null) return;
    void findFirstKey().then((first) => {
      if (first === null) return;
      keep(first);
      setGreeting(t('The key that this service made at its first start is now remembered in this browser.'));
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

  /** What the session takes from the current place and from the code of the lists, which is loaded later. */
  const lists = useRef<Omit<Session, 'client' | 'hasKey' | 'askForKey' | 'announce'>>(null);
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
      nameProject: (wish) => lists.current?.nameProject(wish) ?? wish,
      onCorrected: (design) => lists.current?.onCorrected(design),
      findDress: (designId) => lists.current?.findDress(designId),
      dress: (designId, backdrop, choice) => lists.current?.dress(designId, backdrop, choice),
      forgetLook: (id, recipes) => lists.current?.forgetLook(id, recipes),
      dressAll: (project, backdrop, choice) => lists.current?.dressAll(project, backdrop, choice),
    }),
    [key],
  );

  function keep(next: string | null): void {
    rememberKey(next);
    setKey(next);
  }
  function go(address: string, next: Place): void {
    history.pushState(null, '', address);
    setPlace(next);
    scrollTo(0, 0);
  }
  const goHome = () => go(location.pathname, { screen: 'home' });
  const goToProject = (project: string) => go(addressOf(project), { screen: 'photos', project });
  /** Calls `next` immediately, or as soon as there is a key. */
  function withKey(next: () => void): void {
    if (key === null) setQuestion({ why: t('A key is needed'), next });
    else next();
  }
  const begin = (work: Work) =>
    withKey(() => go(work.id ? `#/d/${work.id}` : '#/new', { screen: 'work', work }));
  function take(files: readonly File[], folder?: string): void {
    const [first] = files;
    if (!first) return;
    if (place.screen === 'photos') withKey(() => addPhotos(files, place.project));
    else if (files.length === 1) begin(workOfFile(first));
    else withKey(() => void addProject(files, folder).then(goToProject, () => undefined));
  }
  const { loaded, fault, addProject, addPhotos } = usePhotosRoom(key === null ? null : session.client);
  const dragging = useIncomingPhotos({ onFiles: take, onWork: begin });
  function answer(next: string): void {
    keep(next);
    setQuestion(null);
    question?.next?.();
  }
  const order = useRef<readonly string[]>([]);
  const workOf = ({ designId, name, project }: Photo, tab?: 'scenes'): Place => ({
    screen: 'work',
    work: { serial: designId ?? '', id: designId ?? '', name, project, ...(tab && { tab }) },
  });
  const openListed = (photo: Photo, shown: readonly string[], tab?: 'scenes') => {
    order.current = shown;
    go(addressOf(photo.project, photo.designId ?? ''), workOf(photo, tab));
  };
  /** Replaces the open photo, so that the browser's back button leads to the list. */
  const openBeside = (photo: Photo) => {
    history.replaceState(null, '', addressOf(photo.project, photo.designId ?? ''));
    setPlace(workOf(photo));
  };
  const work = place.screen === 'work' ? place.work : null;
  /** The project whose list is shown, or is behind the open photo. */
  const project = place.screen === 'photos' ? place.project : work?.project;
  lists.current = loaded && toLists(loaded, goToProject);

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
            <Icon name="key" /> {key === null ? t('Enter key') : t('Key …{slice}', { slice: key.slice(-4) })}
          </button>
        </header>
        {project !== undefined && loaded && (
          <loaded.room.PhotosScreen
            key={project}
            {...loaded}
            project={project}
            opened={work?.id ?? null}
            onOpen={openListed}
            onRenamed={(name) => {
              history.replaceState(null, '', addressOf(name));
              setPlace({ screen: 'photos', project: name });
            }}
            onHome={goHome}
          />
        )}
        {place.screen === 'photos' && !loaded && (
          <main>{fault !== null && <FaultNotice error={fault} />}</main>
        )}
        {work && (
          <Workspace
            key={project ?? work.serial}
            work={work}
            onBack={() => (project === undefined ? goHome() : goToProject(project))}
            walk={(shownId) =>
              project !== undefined &&
              loaded && (
                <loaded.room.PhotoWalk
                  {...loaded}
                  project={project}
                  designId={work.id ?? ''}
                  isShown={shownId === work.id}
                  order={order.current}
                  onOpen={openBeside}
                />
              )
            }
          />
        )}
        {place.screen === 'home' && (
          <HomeScreen dragging={dragging} onWork={begin} onFiles={take}>
            {loaded ? (
              <loaded.room.ProjectList projects={loaded.projects} onOpen={goToProject} />
            ) : fault !== null ? (
              <FaultNotice error={fault} />
            ) : (
              key !== null && hadProjects() && <section class="projects" />
            )}
          </HomeScreen>
        )}
        {place.screen !== 'home' && dragging && (
          <div class="drop-anywhere">
            {place.screen === 'photos'
              ? t('Release to add these photos')
              : t('Release to start with this photo')}
          </div>
        )}
        <Bar online={online} retry={retry} greeting={greeting} />
        <p class="hidden" role="status">
          {words}
        </p>
        {question && (
          <KeyDialog
            why={question.why}
            secret={key}
            onSave={answer}
            onForget={() => {
              keep(null);
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

const addressOf = (project: string, id?: string): string =>
  `#/p/${encodeURIComponent(project)}${id === undefined ? '' : `/${id}`}`;

/** Reads the URL's hash, `#/d/{id}`, `#/p/{project}` or `#/p/{project}/{id}`, so that reload and the back button work. */
function readAddress(): Place {
  const [, list, name = '', of] = /^#\/(d|p)\/([^/]+)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (list === 'd') return { screen: 'work', work: { serial: name, id: name } };
  if (list === undefined) return { screen: 'home' };
  const project = decodeName(name);
  if (of === undefined) return { screen: 'photos', project };
  return { screen: 'work', work: { serial: of, id: of, project } };
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The link was cut off within a character.
    return part;
  }
}

/** What one photo takes from, and changes in, the list of its project. */
function toLists({ room, queue, projects }: PhotosRoom, goToProject: (project: string) => void) {
  return {
    nameProject: projects.freeName,
    onCorrected: (design: Design) => room.noteCorrection(queue, design),
    findDress: (id: string) => room.findDress(queue, id),
    dress: (id: string, look: Backdrop, choice: BackdropChoice) => room.dressOne(queue, id, { look, choice }),
    forgetLook: (id: string, recipes: Recipes['recipes']) => room.forgetLook(queue, id, recipes),
    dressAll: (project: string, look: Backdrop, choice: BackdropChoice) => {
      room.dressAll(queue, project, { look, choice });
      goToProject(project);
    },
  };
}
