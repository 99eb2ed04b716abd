/** Compares the cutout with its photo, on any background and at any zoom; and offers the cutout's files. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { CallBar } from '../pictures/call-bar.tsx';
import { type Placement, ZoomPane } from '../pictures/zoom-pane.tsx';
import { Chips } from '../shared/chips.tsx';
import { isBetterUncut } from '../shared/doubts.ts';
import { downloadName } from '../shared/file-name.ts';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { useBlobUrl, usePhotoUrl } from '../shared/use-blob-url.ts';
import { t, translateDoubt } from '../shared/words.ts';
import type { OpenDesign } from './open-design.ts';

const grounds = [
  { id: 'checker', title: 'Checkerboard' },
  { id: 'white', title: 'White' },
  { id: 'black', title: 'Black' },
  { id: 'color', title: 'Color' },
] as const;
type Ground = (typeof grounds)[number]['id'];

const files = [
  { id: 'cutout.png', title: 'PNG' },
  { id: 'cutout.webp', title: 'WebP' },
  { id: 'matte.png', title: 'Matte' },
] as const;

interface Props {
  readonly open: OpenDesign;
  readonly onNext: (tab: 'backdrop' | 'scenes') => void;
  readonly onCorrect: () => void;
  readonly onLeave: () => void;
}

export function CutoutTab({ open, onNext, onCorrect, onLeave }: Props): JSX.Element {
  const { client } = useSession();
  const { design, name, photo, cutout } = open;
  const [ground, setGround] = useState<Ground>('checker');
  const [color, setColor] = useState('#e8503a');
  const [file, setFile] = useState<(typeof files)[number]['id']>('cutout.png');
  const photoUrl = usePhotoUrl(photo);
  const cutoutUrl = useBlobUrl(cutout);
  const [kind, format] = file.split('.') as ['cutout' | 'matte', 'png' | 'webp'];
  const { width, height } = design.image;

  return (
    <>
      <div class="stage">
        <Compare
          {...{ width, height, photoUrl, cutoutUrl, ground, color }}
          product={design.subject?.boundingBox}
        />
        <p class="stage-words small soft">
          <span>{kind === 'matte' ? t('Matte') : t('Cutout')}</span>
          <span>{t('{width} × {height} px, same as the photo', { width, height })}</span>
        </p>
        <CallBar
          call={{ kind, id: design.id, format }}
          fileName={downloadName(name, kind, format)}
          make={(signal) =>
            kind === 'matte'
              ? client.matte(design.id, { signal })
              : client.cutout(design.id, { format, signal })
          }
        >
          <Chips label={t('File')} name="file" options={files} chosen={file} onChoose={setFile} />
        </CallBar>
      </div>
      <div class="panel">
        <Chips
          title={t('Background')}
          name="ground"
          options={grounds}
          chosen={ground}
          onChoose={setGround}
          beside={
            ground === 'color' && (
              <label class="chip well">
                <input type="color" value={color} onInput={(event) => setColor(event.currentTarget.value)} />
                <span class="dot" style={{ background: color }} />
                <span>
                  <span class="hidden">{t('Background color')} </span>
                  {color}
                </span>
              </label>
            )
          }
        />
        <Findings open={open} />
        <div class="group">
          <h2 class="small">{t('Next')}</h2>
          {isBetterUncut(design) && (
            <button type="button" class="button wide" onClick={onLeave}>
              <Icon name="image" /> {t('Leave as it is')}
            </button>
          )}
          <button type="button" class="button wide" onClick={onCorrect}>
            <Icon name="brush" /> {t('Correct the cutout')}
          </button>
          <button type="button" class="button wide" onClick={() => onNext('backdrop')}>
            <Icon name="image" /> {t('Put it on a backdrop')}
          </button>
          <button type="button" class="button wide" onClick={() => onNext('scenes')}>
            <Icon name="spark" /> {t('Build a scene around it')}
          </button>
        </div>
      </div>
    </>
  );
}

/** The probable kind of product, and the issues that the service found. */
function Findings({ open: { design } }: { readonly open: OpenDesign }): JSX.Element | null {
  const { subject, productKind } = design;
  if (!subject) return null;
  const kind = productKind && productKind.kind !== 'Unknown' ? productKind.kind : null;
  return (
    <div class="group">
      {kind && (
        <p class="small">
          <span class="soft">{t('Probably')}</span> {kind}
        </p>
      )}
      {subject.issues.map((issue) => (
        <p key={issue.code} class="notice">
          <Icon name="fault" />
          <span>{translateDoubt(issue.code, issue.detail)}</span>
        </p>
      ))}
    </div>
  );
}

interface CompareProps {
  readonly width: number;
  readonly height: number;
  readonly photoUrl: string | null;
  readonly cutoutUrl: string | null;
  readonly ground: Ground;
  readonly color: string;
  readonly product: Box | undefined;
}

function Compare({ width, height, photoUrl, cutoutUrl, ground, color, product }: CompareProps): JSX.Element {
  const [split, setSplit] = useState(photoUrl ? 1 : 0);
  useEffect(() => {
    if (!photoUrl) {
      setSplit(0);
      return;
    }
    return sweep(setSplit, 1, 0.5);
    // The divider stays where the user has put it while photos follow each other.
  }, [photoUrl === null]);
  const background = ground === 'checker' ? undefined : { white: '#fff', black: '#000', color }[ground];
  // The divider belongs to the pane rather than the picture, so that it stays visible at any zoom.
  const cutAt = (place: Placement) =>
    place.width > 0 ? (split * place.paneWidth - place.left) / place.width : split;

  return (
    <ZoomPane
      label={t('Photo and cutout')}
      {...{ width, height, product }}
      overlay={(place) => photoUrl && <Handle split={split} paneWidth={place.paneWidth} onMove={setSplit} />}
    >
      {(place) => {
        // Clip the photo on one side of the divider, and the cutout on the other; otherwise the photo would show
        // through at the cutout's edge.
        const cut = Math.min(1, Math.max(0, cutAt(place))) * 100;
        return (
          <>
            {photoUrl && (
              <img
                src={photoUrl}
                alt={t('Uploaded original')}
                draggable={false}
                style={{ clipPath: `inset(0 ${100 - cut}% 0 0)` }}
              />
            )}
            <div
              class={ground === 'checker' ? 'ground checker' : 'ground'}
              style={{ background, clipPath: photoUrl ? `inset(0 0 0 ${cut}%)` : 'none' }}
            >
              {cutoutUrl && <img src={cutoutUrl} alt={t('The cutout')} draggable={false} />}
            </div>
          </>
        );
      }}
    </ZoomPane>
  );
}

/**
 * Animates a value over most of a second; sets the final value immediately if the user prefers reduced
 * motion.
 */
function sweep(set: (value: number) => void, from: number, to: number): () => void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    set(to);
    return () => undefined;
  }
  const startedAt = performance.now();
  let frame = 0;
  const step = (now: number) => {
    const share = Math.min(1, Math.max(0, (now - startedAt) / 900));
    set(from + (to - from) * (1 - (1 - share) ** 3));
    if (share < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

interface HandleProps {
  readonly split: number;
  readonly paneWidth: number;
  readonly onMove: (split: number) => void;
}

function Handle({ split, paneWidth, onMove }: HandleProps): JSX.Element {
  const line = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const move = (to: number) => onMove(Math.min(1, Math.max(0, to)));
  function drag(event: PointerEvent): void {
    const pane = line.current?.parentElement;
    if (dragging.current && pane) move((event.clientX - pane.getBoundingClientRect().left) / paneWidth);
  }
  function pressKey(event: KeyboardEvent): void {
    const to = { ArrowLeft: split - 0.05, ArrowRight: split + 0.05, Home: 0, End: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  }
  const percent = Math.round(split * 100);
  return (
    <div
      ref={line}
      class="handle"
      data-own-drag
      role="slider"
      tabIndex={0}
      aria-label={t('Where photo and cutout meet')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={t('{percent} % photo', { percent })}
      style={{ left: `${split * 100}%` }}
      onPointerDown={(event) => {
        dragging.current = true;
        line.current?.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        dragging.current = false;
      }}
      onKeyDown={pressKey}
    >
      <span class="knob">
        <Icon name="swap" size={20} />
      </span>
    </div>
  );
}
