/** The tab for correcting a cutout: the user paints what to keep or erase, or picks parts to restore or remove. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Box, CorrectionInput } from '../../../clients/typescript/src/packshot-client.ts';
import type { OpenDesign } from '../design/open-design.ts';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import { Chips } from '../shared/chips.tsx';
import { doubtsOf } from '../shared/doubts.ts';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { Layers, Places } from './correct-layers.tsx';
import type { Mode, Stroke } from './marks.ts';
import { PaintLayer } from './paint-layer.tsx';

const tools = [
  { id: 'erase', title: 'Erase' },
  { id: 'keep', title: 'Keep' },
  { id: 'move', title: 'Move' },
  { id: 'drop', title: 'Remove a part' },
  { id: 'bring', title: 'Restore a part' },
] as const;
type Tool = (typeof tools)[number]['id'];

/** Effect of a click on a part of the photo, by tool. */
const picks: Readonly<Partial<Record<Tool, { mode: Mode; hint: string; said: string }>>> = {
  drop: { mode: 'erase', hint: 'Click a part to remove it.', said: 'The part is removed.' },
  bring: { mode: 'keep', hint: 'Click a part of the photo that is missing.', said: 'The part is restored.' },
};

const views = [
  { id: 'both', title: 'Both' },
  { id: 'after', title: 'Cutout' },
  { id: 'before', title: 'Photo' },
] as const;

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
  const [tool, setTool] = useState<Tool>('erase');
  const [view, setView] = useState<(typeof views)[number]['id']>('both');
  const [radius, setRadius] = useState(Math.max(2, Math.round(Math.max(width, height) / 60)));
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [place, setPlace] = useState<Box | null>(null);
  /** Whether the last correction changed nothing. */
  const [missed, setMissed] = useState(false);
  const places = doubtsOf(design).flatMap(({ box }) => (box ? [box] : []));
  const running = task.state.status === 'running';
  const canUndo = strokes.length > 0 || design.cutout?.undo != null;

  function send(correction: CorrectionInput, said: string): void {
    if (running) return;
    task.start(async (signal) => {
      const corrected = await client.correct(design.id, correction, { signal });
      const changed = corrected.cutout?.revision !== design.cutout?.revision;
      setMissed(!changed);
      const cutout = await (await client.cutout(design.id, { signal })).blob();
      // Keep the strokes that were painted while the correction was being applied.
      setStrokes((all) => all.filter((stroke) => !strokes.includes(stroke)));
      onCorrected({ ...open, design: corrected, cutout });
      announce(changed ? said : 'Nothing changed.');
    });
  }
  const apply = () => {
    if (strokes.length > 0) send({ strokes, base: design.cutout?.revision }, 'The cutout is corrected.');
  };
  const pick = picks[tool];
  const hint = pick?.hint ?? 'Paint roughly: the service finds the edge.';
  const undo = () => {
    if (strokes.length > 0) setStrokes(strokes.slice(0, -1));
    else if (canUndo) send({ undo: true }, 'The last correction is undone.');
  };

  return (
    <>
      <div class="stage">
        <ZoomPane label="Correction" width={width} height={height} showing={place}>
          {() => (
            <>
              <Layers open={open} view={view} />
              <PaintLayer
                {...{ width, height, radius, strokes, places }}
                mode={tool === 'erase' || tool === 'keep' ? tool : null}
                onPick={
                  pick
                    ? (x, y) =>
                        send({ parts: [{ mode: pick.mode, x, y }], base: design.cutout?.revision }, pick.said)
                    : null
                }
                onStroke={(stroke) => setStrokes((all) => [...all, stroke])}
                onApply={apply}
                onUndo={undo}
              />
            </>
          )}
        </ZoomPane>
        <p class="stage-words small soft" role="status">
          {task.state.status === 'running' ? (
            <span>
              Correcting
              <Elapsed since={task.state.since} />
            </span>
          ) : (
            <span>
              {strokes.length > 0 ? `${strokes.length} to apply` : missed ? `Nothing changed. ${hint}` : hint}
            </span>
          )}
        </p>
        {task.state.status === 'failed' && <FaultNotice error={task.state.error} onRetry={apply} />}
      </div>
      <div class="panel">
        <fieldset class="group">
          <legend>Tool</legend>
          <div class="chips tools">
            <Chips name="brush" options={tools} chosen={tool} onChoose={setTool} />
          </div>
          <div class="field" hidden={pick !== undefined || tool === 'move'}>
            <label for="brush-size">Size: {radius * 2} px of the photo</label>
            <input
              id="brush-size"
              class="range"
              type="range"
              min="2"
              max={Math.round(Math.max(width, height) / 8)}
              value={radius}
              onInput={(event) => setRadius(Number(event.currentTarget.value))}
            />
          </div>
        </fieldset>
        <fieldset class="group">
          <legend>Show</legend>
          <div class="chips">
            <Chips name="correct-view" options={views} chosen={view} onChoose={setView} />
          </div>
        </fieldset>
        {places.length > 0 && <Places places={places} onShow={setPlace} />}
        <div class="group">
          <button
            type="button"
            class="button primary large wide"
            aria-disabled={strokes.length === 0 || running}
            onClick={apply}
          >
            Apply
          </button>
          <div class="row">
            <button type="button" class="button" aria-disabled={!canUndo || running} onClick={undo}>
              <Icon name="undo" /> Undo
            </button>
            <button type="button" class="button" onClick={onDone}>
              Done
            </button>
          </div>
        </div>
      </div>
    </>
  );
}
