/** Actions for a picture: download it, or copy the call that makes it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Picture } from '../../../clients/typescript/src/packshot-client.ts';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { sizeOf } from '../shared/file-size.ts';
import { Icon } from '../shared/icons.tsx';
import { saveFile } from '../shared/save-file.ts';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { type PictureCall, toCurl, toTypeScript } from './code-snippets.ts';

interface Props {
  readonly call: PictureCall;
  readonly fileName: string;
  readonly make: (signal: AbortSignal) => Promise<Picture>;
  /** Called with each finished picture. */
  readonly onMade?: (picture: Blob) => void;
  /** Content above the buttons. */
  readonly children?: ComponentChildren;
}

interface Made {
  readonly picture: Blob;
  readonly fileName: string;
  readonly warnings: Picture['warnings'];
}

export function CallBar({ call, fileName, make, onMade, children }: Props): JSX.Element {
  const { announce } = useSession();
  const task = useTask();
  const [made, setMade] = useState<Made | null>(null);
  const identity = JSON.stringify(call);
  // When another picture is chosen, discard the finished picture.
  useEffect(() => {
    task.stop();
    setMade(null);
  }, [identity]);

  function download(): void {
    if (task.running) return;
    if (made) {
      saveFile(made.picture, fileName);
      return;
    }
    announce(t('Making the picture.'));
    task.start(async (signal) => {
      const answer = await make(signal);
      const picture = await answer.blob();
      setMade({ picture, fileName, warnings: answer.warnings });
      onMade?.(picture);
      saveFile(picture, fileName);
      announce(t('Downloaded {fileName}.', { fileName }));
    });
  }

  return (
    <div class="call-bar">
      <div class="call-row">
        {children}
        <div class="call-buttons">
          <details class="menu">
            <summary class="button plain">
              <Icon name="code" size={16} /> {t('For developers')}
            </summary>
            <div class="menu-items">
              <CopyButton what="curl" text={() => toCurl(location.origin, call, fileName)} />
              <CopyButton what="TypeScript" text={() => toTypeScript(location.origin, call, fileName)} />
            </div>
          </details>
          {task.running && (
            <button type="button" class="button" onClick={task.stop}>
              {t('Cancel')}
            </button>
          )}
          <button
            type="button"
            class="button primary download"
            aria-disabled={task.running}
            onClick={download}
          >
            {task.running ? (
              <span>
                {t('Making it')}
                <Elapsed since={task.since} />
              </span>
            ) : (
              <>
                <Icon name="download" /> {t('Download')}
              </>
            )}
          </button>
        </div>
      </div>
      {task.running && <div class="travel" />}
      <FaultNotice error={task.error} onRetry={download} />
      {made && (
        <p class="small soft made">
          <Icon name="check" size={16} /> {made.fileName}, {sizeOf(made.picture.size)}
        </p>
      )}
      {made?.warnings.map(({ code, detail }) => (
        <p key={code} class="small soft">
          {detail}
        </p>
      ))}
    </div>
  );
}

function CopyButton({ what, text }: { readonly what: string; readonly text: () => string }): JSX.Element {
  const { announce } = useSession();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(): Promise<void> {
    const done = await writeClipboard(text());
    announce(done ? t('Copied as {what}.', { what }) : t('The browser did not allow copying.'));
    setCopied(done);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <button type="button" class="button plain" onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} size={16} />{' '}
      {copied ? t('Copied') : t('Copy as {what}', { what })}
    </button>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages loaded over plain HTTP from another machine have no clipboard API; `execCommand` works on such pages.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
