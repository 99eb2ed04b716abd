/** The tab for correcting a cutout: the user marks what to keep or erase, or lets the model run again in a place. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import {
  type Box,
  type CorrectionInput,
  PackshotError,
} from '../../../clients/typescript/src/packshot-client.ts';
import type { OpenDesign } from '../design/open-design.ts';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import { FileButton } from '../shared/buttons.tsx';
import { Chips } from '../shared/chips.tsx';
import { doubtsOf } from '../shared/doubts.ts';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { type English, t, translate } from '../shared/words.ts';
import { Layers, Places } from './correct-layers.tsx';
import { boxBetween, type Point, type Stroke } from './marks.ts';
import { PaintLayer } from './paint-layer.tsx';
import { type Choice, Tools, wordsOf } from './tools.tsx';

const views = [
  { id: 'both', title: 'Both' },
  { id: 'after', title: 'Cutout' },
  { id: 'before', title: 'Photo' },
] as const;

const wholeProduct: English =
  'This would remove the whole product, so nothing was changed. Cut off what has grown onto it with the brush, the lasso or a box.';

/** `null` if the correction would have left no product; other errors are thrown. */
function keepProduct(error: unknown): null {
  if (error instanceof PackshotError && error.code === 'no_subject_found') return null;
  throw error;
}

interface Props {
  readonly open: OpenDesign;
  readonly onCorrected: (open: OpenDesign) => void;
  readonly onDone: () => void;
}

export function CorrectTab({ open, onCorrected, onDone }: Props): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const { design } = open;
  const { width, height } = design.image;
  const [choice, setChoice] = useState<Choice>({
    tool: 'brush',
    mode: 'erase',
    radius: Math.max(2, Math.round(Math.max(width, height) / 60)),
    isExact: false,
    hardness: 0.8,
  });
  const [view, setView] = useState<(typeof views)[number]['id']>('both');
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [place, setPlace] = useState<Box | null>(null);
  /** What the last correction came to, if it changed nothing. */
  const [missed, setMissed] = useState('');
  const last = useRef<() => void>(undefined);
  const places = doubtsOf(design).flatMap(({ box }) => (box ? [box] : []));
  const canUndo = strokes.length > 0 || design.cutout?.undo != null;
  const words = wordsOf(choice);

  function send(correction: CorrectionInput, said: string, mask?: Blob): void {
    if (task.running) return;
    last.current = () => send(correction, said, mask);
    task.start(async (signal) => {
      const corrected = await client
        .correct(design.id, correction, { signal, ...(mask && { mask }) })
        .catch(keepProduct);
      const changed = corrected !== null && corrected.cutout?.revision !== design.cutout?.revision;
      // Keep the strokes that were not part of this correction.
      if (corrected) setStrokes((all) => all.filter((stroke) => !correction.strokes?.includes(stroke)));
      const note = corrected === null ? translate(wholeProduct) : changed ? '' : words.missed;
      setMissed(note);
      announce(note || said);
      if (!changed) return;
      const cutout = await (await client.cutout(design.id, { signal })).blob();
      onCorrected({ ...open, design: corrected, cutout });
    });
  }
  const mark = (marks: CorrectionInput, said = t('The cutout is corrected.')) =>
    send({ ...marks, base: design.cutout?.revision }, said);
  const apply = () => {
    if (strokes.length > 0) mark({ strokes: [...strokes] });
  };
  const undo = () => {
    if (strokes.length > 0) setStrokes(strokes.slice(0, -1));
    else if (canUndo) send({ undo: true }, t('The last correction is undone.'));
  };
  const { tool, mode } = choice;
  const onShape = (points: readonly Point[]) => {
    if (tool === 'lasso') return mark({ polygons: [{ mode, points: points.map((point) => [...point]) }] });
    const box = boxBetween(points[0]!, points[1]!);
    mark(tool === 'again' ? { hint: box } : { boxes: [{ mode, ...box }] });
  };

  return (
    <>
      <div class="stage">
        <ZoomPane label={t('Correction')} width={width} height={height} showing={place}>
          {() => (
            <>
              <Layers open={open} view={view} />
              <PaintLayer
                {...{ width, height, choice, strokes, places, onShape }}
                onPick={(x, y) =>
                  mark(
                    { parts: [{ mode, x, y }] },
                    mode === 'erase' ? t('The part is removed.') : t('The part is restored.'),
                  )
                }
                onStroke={(stroke) => setStrokes((all) => [...all, stroke])}
                onApply={apply}
                onUndo={undo}
              />
            </>
          )}
        </ZoomPane>
        <p class="stage-words small soft" role="status">
          {task.running ? (
            <span>
              {t('Correcting')}
              <Elapsed since={task.since} />
            </span>
          ) : (
            <span>
              {strokes.length > 0 ? t('{length} to apply', { length: strokes.length }) : missed || words.hint}
            </span>
          )}
        </p>
        <FaultNotice error={task.error} onRetry={() => last.current?.()} />
      </div>
      <div class="panel">
        <Tools
          choice={choice}
          mostRadius={Math.round(Math.max(width, height) / 8)}
          onChoose={(part) => {
            setMissed('');
            setChoice({ ...choice, ...part });
          }}
        />
        <Chips title={t('Show')} name="correct-view" options={views} chosen={view} onChoose={setView} />
        {places.length > 0 && <Places places={places} onShow={setPlace} />}
        <div class="group">
          <button
            type="button"
            class="button primary large wide"
            aria-disabled={strokes.length === 0 || task.running}
            onClick={apply}
          >
            {t('Apply')}
          </button>
          <div class="row">
            <button type="button" class="button" aria-disabled={!canUndo || task.running} onClick={undo}>
              <Icon name="undo" /> {t('Undo')}
            </button>
            <button type="button" class="button" onClick={onDone}>
              {t('Finish')}
            </button>
          </div>
          {/* A mask from an image editor. */}
          <FileButton
            kind="button wide"
            title={t('A picture of the photo’s shape: white keeps, black erases, gray changes nothing')}
            input={{ accept: 'image/*', disabled: task.running }}
            onFiles={([mask]) => send({ base: design.cutout?.revision }, t('The mask is applied.'), mask)}
          >
            <Icon name="upload" /> {t('Use a mask file')}
          </FileButton>
        </div>
      </div>
    </>
  );
}
