/** The kind of product for which scenes are planned: the service's guess, which the user can correct. */
import type { JSX } from 'preact';
import { productKinds } from '../../../packages/sets/src/product/product-kinds.ts';
import { t } from '../shared/words.ts';

interface Props {
  /** Undefined if the service has no guess. */
  readonly guess: string | undefined;
  /** The kind that the user has chosen; empty to use the service's guess. */
  readonly chosen: string;
  readonly onChoose: (kind: string) => void;
}

export function KindChoice({ guess, chosen, onChoose }: Props): JSX.Element {
  return (
    <div class="field">
      <label for="product-kind">{t('Kind of product')}</label>
      <select
        id="product-kind"
        class="input"
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{guess ? t('Probably {guess}', { guess }) : t('Not recognized')}</option>
        {productKinds
          .filter((kind) => kind !== 'Unknown' && kind !== guess)
          .map((kind) => (
            <option key={kind} value={kind}>
              {kind}
            </option>
          ))}
      </select>
    </div>
  );
}
