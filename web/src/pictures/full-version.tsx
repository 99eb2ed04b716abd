/** The full version of a recipe's picture in a chosen format. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PictureFormat, RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { Chips } from '../shared/chips.tsx';
import { downloadName } from '../shared/file-name.ts';
import { useSession } from '../shared/session.ts';
import { t } from '../shared/words.ts';
import { CallBar } from './call-bar.tsx';

export const formats = [
  { id: 'jpeg', title: 'JPEG' },
  { id: 'png', title: 'PNG' },
  { id: 'webp', title: 'WebP' },
  { id: 'avif', title: 'AVIF' },
] as const;

interface Props {
  /** Prefix for the names of this format chooser's fields, which must be unique on the page. */
  readonly name: string;
  readonly photo: string;
  readonly title: string;
  readonly request: RenderInput;
  readonly transparent: boolean;
  readonly onMade: (picture: Blob) => void;
}

export function FullVersion({ name, photo, title, request, transparent, onMade }: Props): JSX.Element {
  const { client } = useSession();
  const [chosen, setChosen] = useState<PictureFormat | null>(null);
  const format = chosen ?? (transparent ? 'png' : 'jpeg');
  const asked = withoutPreviewUri(request);
  return (
    <CallBar
      call={{ kind: 'generate', request: asked, format }}
      fileName={downloadName(photo, title, format)}
      make={(signal) => client.generate(asked, { format, signal })}
      onMade={onMade}
    >
      <Chips
        label={t('Format of the full version')}
        name={`${name}-format`}
        options={formats}
        chosen={format}
        onChoose={setChosen}
      />
    </CallBar>
  );
}

/** Removes the URI of the preview, which a request for the full version does not need. */
function withoutPreviewUri(request: RenderInput): RenderInput {
  const illustration = request.mutations?.images?.primaryIllustration;
  if (!illustration?.uri) return request;
  const { previewUri: _, ...primaryIllustration } = illustration;
  return { ...request, mutations: { ...request.mutations, images: { primaryIllustration } } };
}
