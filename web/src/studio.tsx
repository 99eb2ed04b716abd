/** The whole page: which screen is shown, the key, and what is said across screens. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { createPackshotClient, type Retry } from '../../clients/typescript/src/packshot-client.ts';
import type { Work } from './design/open-design.ts';
import { Workspace } from './design/workspace.tsx';
import { HomeScreen } from './home/home-screen.tsx';
import { useIncomingPhotos } from './home/use-incoming-photos.ts';
import { findFirstKey, findRememberedKey, forgetKey, rememberKey } from './shared/api-key.ts';
import { describeFailure } from './shared/error-words.ts';
import { Icon } from './shared/icons.tsx';
import { KeyDialog } from './shared/key-dialog.tsx';
import { type Session, SessionProvider } from './shared/session.ts';

interface KeyQuestion {
  readonly why: string | undefined;
  /** What waits for the key. */
  readonly work?: Work;
}

export function Studio(): JSX.Element {
  const [key, setKey] = useState(findRememberedKey);
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [work, setWork] = useState(readAddress);
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
    const follow = () => setWork(readAddress());
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
    }),
    [key],
  );

  function keep(next: string): void {
    rememberKey(next);
    setKey(next);
  }
  function begin(next: Work): void {
    if (key === null) {
      setQuestion({ why: 'A key is needed', work: next });
      return;
    }
    history.pushState(null, '', next.id ? `#/d/${next.id}` : '#/new');
    setWork(next);
    scrollTo(0, 0);
  }
  const dragging = useIncomingPhotos(begin);
  function goHome(): void {
    history.pushState(null, '', location.pathname);
    setWork(null);
    scrollTo(0, 0);
  }
  function answer(next: string): void {
    const waiting = question?.work;
    keep(next);
    setQuestion(null);
    if (!waiting) return;
    history.pushState(null, '', '#/new');
    setWork(waiting);
  }

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
        {work ? (
          <Workspace key={work.serial} work={work} onHome={goHome} />
        ) : (
          <HomeScreen dragging={dragging} onWork={begin} />
        )}
        {work && dragging && <div class="drop-anywhere">Let go to start with this photo</div>}
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

/** `#/d/{id}`: a design, so that a reload and the back button find it. */
function readAddress(): Work | null {
  const id = /^#\/d\/([\w-]+)$/.exec(location.hash)?.[1];
  return id ? { serial: id, id } : null;
}

interface BarProps {
  readonly online: boolean;
  readonly retry: (Retry & { readonly at: number }) | null;
  readonly greeting: string;
}

/** One line at the foot for what concerns the whole page. */
function Bar({ online, retry, greeting }: BarProps): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!retry) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [retry]);
  const seconds = retry && Math.max(0, Math.ceil((retry.at + retry.waitMs - now) / 1000));
  const line = !online
    ? 'You are offline. What is on this page stays; go on when the connection is back.'
    : retry
      ? `${describeFailure(retry.error).title}. Trying again ${seconds ? `in ${seconds} s` : 'now'}.`
      : greeting;
  return (
    <div role="status" aria-live={retry ? 'off' : 'polite'}>
      {line && <p class="notice bar appear">{line}</p>}
    </div>
  );
}
