/**
 * The start screen, where the user drops, pastes, chooses, takes or links photos, beside the list of projects.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import chairUrl from '../../../samples/chair-white.jpg';
import consoleUrl from '../../../samples/console-white.jpg';
import mugUrl from '../../../samples/mug-white.jpg';
import heroMade from '../../hero/made.webp';
import heroPhoto from '../../hero/photo.webp';
import chairThumb from '../../thumbs/chair.webp';
import consoleThumb from '../../thumbs/console.webp';
import mugThumb from '../../thumbs/mug.webp';
import type { Work } from '../design/open-design.ts';
import { FileButton } from '../shared/buttons.tsx';
import { Icon } from '../shared/icons.tsx';
import { acceptedFiles } from '../shared/photo-files.ts';
import { t, translate } from '../shared/words.ts';
import { workOfUrl } from './use-incoming-photos.ts';

const samples = [
  { name: 'mug-white.jpg', title: 'a mug', url: mugUrl, thumb: mugThumb },
  { name: 'chair-white.jpg', title: 'a chair', url: chairUrl, thumb: chairThumb },
  { name: 'console-white.jpg', title: 'a game console', url: consoleUrl, thumb: consoleThumb },
];

interface Props {
  /** Whether something is being dragged over the page. */
  readonly dragging: boolean;
  readonly onWork: (work: Work) => void;
  /** Called with the chosen photos: a single photo is opened, several photos are listed. */
  readonly onFiles: (files: readonly File[]) => void;
  /** The list of projects. */
  readonly children: ComponentChildren;
}

export function HomeScreen({ dragging, onWork, onFiles, children }: Props): JSX.Element {
  const [url, setUrl] = useState('');
  const [wrongUrl, setWrongUrl] = useState(false);

  function takeUrl(): void {
    const work = workOfUrl(url);
    setWrongUrl(work === null);
    if (work) onWork(work);
  }
  async function takeSample(sample: (typeof samples)[number]): Promise<void> {
    const blob = await (await fetch(sample.url)).blob();
    onFiles([new File([blob], sample.name, { type: 'image/jpeg' })]);
  }

  return (
    <main class="home">
      <figure class="hero">
        <img class="hero-made" src={heroMade} alt={t('A product in a scene that Packshot made for it')} />
        <img
          class="hero-photo"
          src={heroPhoto}
          alt={t('The same product on a sheet of paper, as taken with a phone')}
        />
      </figure>
      <section class="welcome">
        <h1>{t('From a photo to a packshot.')}</h1>
        <p class="lead soft">
          {t(
            'Drop one product photo, or forty. The background goes, the product stays as it is, and you choose what it stands on.',
          )}
        </p>
      </section>
      <section class={dragging ? 'drop dragging' : 'drop'} aria-label={t('Your photos')}>
        <div class="drop-words">
          <Icon name="image" size={36} />
          <p class="drop-title">{dragging ? t('Let go') : t('Drop photos or a folder')}</p>
          <div class="row drop-buttons">
            <FileButton
              kind="button primary large camera"
              input={{ accept: 'image/*', capture: 'environment' }}
              onFiles={onFiles}
            >
              <Icon name="camera" /> {t('Take a photo')}
            </FileButton>
            <FileButton
              kind="button primary large choose"
              input={{ accept: acceptedFiles, multiple: true }}
              onFiles={onFiles}
            >
              <Icon name="upload" /> {t('Choose photos')}
            </FileButton>
          </div>
          <p class="small soft">{t('JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC')}</p>
        </div>
        <form
          class="drop-url"
          onSubmit={(event) => {
            event.preventDefault();
            takeUrl();
          }}
        >
          <label class="hidden" for="url">
            {t('Link to a photo on the web')}
          </label>
          <input
            id="url"
            class="input"
            type="text"
            inputMode="url"
            aria-invalid={wrongUrl}
            aria-describedby={wrongUrl ? 'url-fault' : undefined}
            placeholder={t('Or paste a link')}
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <button type="submit" class="button" aria-disabled={url.trim() === ''}>
            {t('Fetch')}
          </button>
          {wrongUrl && (
            <p id="url-fault" class="small url-fault" role="alert">
              {t('A link begins with https:// or http://')}
            </p>
          )}
        </form>
      </section>
      <section class="samples" aria-labelledby="samples-title">
        <h2 id="samples-title" class="small soft">
          {t('No photo at hand?')}
        </h2>
        <ul class="row">
          {samples.map((sample) => (
            <li key={sample.name}>
              <button type="button" class="sample" onClick={() => void takeSample(sample)}>
                <img src={sample.thumb} alt={t('Try it with {title}', { title: translate(sample.title) })} />
              </button>
            </li>
          ))}
        </ul>
      </section>
      {children}
    </main>
  );
}
