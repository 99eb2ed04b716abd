/** A selectable recipe, shown as a small picture with this product. */
import type { JSX } from 'preact';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { translate } from '../shared/words.ts';
import type { PreviewQueue } from './preview-queue.ts';
import { usePreview } from './use-preview.ts';

interface Props {
  readonly name: string;
  readonly title: string;
  readonly previews: PreviewQueue;
  /** Null if there is no product to show yet. */
  readonly request: RenderInput | null;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

export function RecipeTile({ name, title, previews, request, checked, onChoose }: Props): JSX.Element {
  const { url } = usePreview(previews, request);
  return (
    <label class="tile">
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span class="tile-picture">
        {url ? <img class="appear" src={url} alt="" /> : <span class="skeleton" />}
      </span>
      <span class="tile-title ellipsis">{translate(title)}</span>
    </label>
  );
}
