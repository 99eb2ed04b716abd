/** The tools of a correction, and the choices that each of them offers. */
import type { JSX } from 'preact';
import { Chips } from '../shared/chips.tsx';
import { t } from '../shared/words.ts';
import type { Mode } from './marks.ts';

const tools = [
  { id: 'brush', title: 'Brush' },
  { id: 'lasso', title: 'Lasso' },
  { id: 'box', title: 'Box' },
  { id: 'part', title: 'Part' },
  { id: 'again', title: 'Run again' },
  { id: 'move', title: 'Move' },
] as const;
export type Tool = (typeof tools)[number]['id'];

const modes = [
  { id: 'erase', title: 'Erase' },
  { id: 'keep', title: 'Keep' },
] as const;

const edges = [
  { id: 'found', title: 'Finds the edge' },
  { id: 'exact', title: 'Exact' },
] as const;

export interface Choice {
  readonly tool: Tool;
  readonly mode: Mode;
  /** Radius of the brush, in pixels of the photo. */
  readonly radius: number;
  /** Whether the brush changes only what is under it. */
  readonly isExact: boolean;
  /** Hardness of an exact brush, 0 to 1. */
  readonly hardness: number;
}

interface Words {
  readonly hint: string;
  /** Said if the service found nothing to change. */
  readonly missed: string;
}

export function wordsOf({ tool, mode, isExact }: Choice): Words {
  const missed = t('Nothing changed.');
  const isErased = mode === 'erase';
  switch (tool) {
    case 'lasso':
      return { hint: isErased ? t('Draw around what to erase.') : t('Draw around what to keep.'), missed };
    case 'box':
      return {
        hint: isErased ? t('Drag a box over what to erase.') : t('Drag a box over what to keep.'),
        missed,
      };
    case 'part':
      return isErased
        ? { hint: t('Click a part to remove it.'), missed: t('There is no part of the cutout here.') }
        : {
            hint: t('Click a part of the photo that is missing.'),
            missed: t('No missing part was found here. Paint over it instead.'),
          };
    case 'again':
      return {
        hint: t('Drag a box: the service looks at that place again, more closely.'),
        missed: t('The service found the same again.'),
      };
    case 'move':
      return { hint: t('Drag to move the photo.'), missed };
    default:
      return {
        hint: isExact
          ? t('Paint exactly: only what is under the brush changes.')
          : t('Paint roughly: the service finds the edge.'),
        missed,
      };
  }
}

interface Props {
  readonly choice: Choice;
  /** Greatest radius of the brush, in pixels of the photo. */
  readonly mostRadius: number;
  readonly onChoose: (part: Partial<Choice>) => void;
}

export function Tools({ choice, mostRadius, onChoose }: Props): JSX.Element {
  const { tool, mode, radius, isExact, hardness } = choice;
  return (
    <Chips
      title={t('Tool')}
      kind="chips thirds"
      name="brush"
      options={tools}
      chosen={tool}
      onChoose={(tool) => onChoose({ tool })}
    >
      {tool !== 'again' && tool !== 'move' && (
        <Chips name="mark" options={modes} chosen={mode} onChoose={(mode) => onChoose({ mode })} />
      )}
      {tool === 'brush' && (
        <>
          <Chips
            name="edge"
            options={edges}
            chosen={isExact ? 'exact' : 'found'}
            onChoose={(id) => onChoose({ isExact: id === 'exact' })}
          />
          <div class="field">
            <label for="brush-size">{t('Size: {count} px of the photo', { count: radius * 2 })}</label>
            <input
              id="brush-size"
              class="range"
              type="range"
              min="2"
              max={mostRadius}
              value={radius}
              onInput={(event) => onChoose({ radius: Number(event.currentTarget.value) })}
            />
          </div>
          {isExact && (
            <div class="field">
              <label for="brush-hardness">
                {t('Hardness: {percent} %', { percent: Math.round(hardness * 100) })}
              </label>
              <input
                id="brush-hardness"
                class="range"
                type="range"
                min="0"
                max="1"
                step="0.05"
                value={hardness}
                onInput={(event) => onChoose({ hardness: Number(event.currentTarget.value) })}
              />
            </div>
          )}
        </>
      )}
    </Chips>
  );
}
