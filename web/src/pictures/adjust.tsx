/** Adjustments of a picture: the product's size and place, its shadow and outline, or the photo as it is. */
import type { JSX } from 'preact';
import { Chips } from '../shared/chips.tsx';
import { t } from '../shared/words.ts';
import type { Adjustments } from './backdrop-choice.ts';
import { Slider } from './slider.tsx';

const shadows = [
  { id: 'own', title: 'As designed' },
  { id: 'none', title: 'None' },
  { id: 'contact', title: 'Contact' },
  { id: 'cast', title: 'Cast' },
] as const;

const lines = [
  { id: 'own', title: 'As designed' },
  { id: 'center', title: 'In the middle' },
  { id: 'baseline', title: 'On one line' },
] as const;

const shows = [
  { id: 'auto', title: 'Product, cut out' },
  { id: 'none', title: 'Photo as it is' },
] as const;

const fits = [
  { id: 'pad', title: 'All of it' },
  { id: 'crop', title: 'Its middle' },
  { id: 'extend', title: 'All, continued' },
] as const;

const lights = [
  { id: 'none', title: 'As photographed' },
  { id: 'light', title: 'As in the scene' },
] as const;

interface Props {
  /** Prefix for the names of the fields, which must be unique on the page. */
  readonly name: string;
  readonly adjust: Adjustments | undefined;
  /** The recipe's own margin, as a fraction of the shorter side; null if the scene or the saved look decides. */
  readonly ownMargin: number | null;
  /** How much of the picture the product fills, in words. */
  readonly fill: string | null;
  /** Whether the picture is a scene, whose light decides about shadows. */
  readonly isScene?: boolean;
  readonly onChange: (adjust: Adjustments) => void;
}

export function Adjust(props: Props): JSX.Element {
  const { name, adjust = {}, ownMargin, fill, isScene = false, onChange } = props;
  const { layout = {}, shadow, edge, cutout = 'auto' } = adjust;
  const margin = layout.margin ?? ownMargin;
  const place = (change: Adjustments['layout']) => onChange({ ...adjust, layout: { ...layout, ...change } });
  const shade = (next: Adjustments['shadow']) => onChange({ ...adjust, shadow: next });
  return (
    <details class="group adjust">
      <summary>{t('Adjust')}</summary>
      <Slider
        id={`${name}-margin`}
        title={t('Margin')}
        unit="%"
        value={margin === null ? null : percent(margin)}
        min={0}
        max={40}
        onChange={(value) => place({ margin: value / 100 })}
      >
        <output class="small soft" for={`${name}-margin`}>
          {margin === null ? t('As designed') : fill}
        </output>
      </Slider>
      <Slider
        id={`${name}-size`}
        title={t('Size')}
        unit="%"
        value={percent(layout.scale ?? 1)}
        min={10}
        max={100}
        onChange={(value) => place({ scale: value / 100 })}
      />
      <Slider
        id={`${name}-turn`}
        title={t('Straighten or turn')}
        unit="°"
        value={layout.rotate ?? 0}
        min={-180}
        max={180}
        step={0.5}
        onChange={(value) => place({ rotate: value === 0 ? undefined : value })}
      />
      <Chips
        title={t('Where products stand')}
        name={`${name}-line`}
        options={lines}
        chosen={layout.align ?? 'own'}
        onChoose={(align) =>
          place({ align: align === 'own' ? undefined : align, x: undefined, y: undefined })
        }
      />
      {/* Elsewhere, hands move it on the stage. */}
      {ownMargin === null &&
        (['x', 'y'] as const).map((axis) => (
          <Slider
            key={axis}
            id={`${name}-${axis}`}
            title={axis === 'x' ? t('From the left') : t('From above')}
            unit="%"
            value={layout[axis] === undefined ? null : percent(layout[axis])}
            min={0}
            max={100}
            onChange={(value) => place({ [axis]: value / 100 })}
          />
        ))}
      {isScene && (
        <Chips
          title={t('Light on the product')}
          name={`${name}-light`}
          options={lights}
          chosen={adjust.match ?? 'none'}
          onChoose={(next) => onChange({ ...adjust, match: next === 'none' ? undefined : next })}
        />
      )}
      <Chips
        title={t('Shadow')}
        name={`${name}-shadow`}
        options={shadows}
        chosen={shadow?.kind ?? 'own'}
        onChoose={(kind) =>
          shade(kind === 'own' ? undefined : kind === 'none' ? { kind } : { ...shadow, kind })
        }
      >
        {shadow && shadow.kind !== 'none' && (
          <>
            <Slider
              id={`${name}-strength`}
              title={t('Strength')}
              unit="%"
              value={percent(shadow.strength ?? usualShadow.strength)}
              min={0}
              max={100}
              onChange={(value) => shade({ ...shadow, strength: value / 100 })}
            />
            {!isScene && (
              <Slider
                id={`${name}-softness`}
                title={t('Softness')}
                unit="%"
                value={percent(shadow.softness ?? usualShadow.softness)}
                min={0}
                max={100}
                onChange={(value) => shade({ ...shadow, softness: value / 100 })}
              />
            )}
          </>
        )}
        {shadow?.kind === 'cast' && !isScene && (
          <Slider
            id={`${name}-direction`}
            title={t('Direction')}
            unit="°"
            value={shadow.direction ?? usualShadow.direction}
            min={-180}
            max={180}
            onChange={(direction) => shade({ ...shadow, direction })}
          >
            <span class="small soft">{t('0° falls to the front, 90° to the right, −90° to the left.')}</span>
          </Slider>
        )}
      </Chips>
      <Slider
        id={`${name}-edge`}
        title={t('Trim the outline')}
        unit="px"
        value={edge?.shrinkPx ?? 0}
        min={0}
        max={4}
        step={0.5}
        onChange={(shrinkPx) => onChange({ ...adjust, edge: { shrinkPx } })}
      />
      {!isScene && (
        <Chips
          title={t('Show')}
          name={`${name}-show`}
          options={shows}
          chosen={cutout}
          onChoose={(next) => onChange({ ...adjust, cutout: next === 'auto' ? undefined : next })}
        >
          {cutout === 'none' && (
            <Chips
              name={`${name}-fit`}
              options={fits}
              chosen={layout.fit ?? 'pad'}
              onChoose={(fit) => place({ fit })}
            />
          )}
        </Chips>
      )}
      {Object.keys(adjust).length > 0 && (
        <button type="button" class="button plain" onClick={() => onChange({})}>
          {t('As designed')}
        </button>
      )}
    </details>
  );
}

/** What the service gives a shadow on a backdrop without one. */
const usualShadow = { strength: 0.7, softness: 0.5, direction: 85 } as const;

const percent = (share: number): number => Math.round(1000 * share) / 10;
