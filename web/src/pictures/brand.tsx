/** What makes a shop's pictures its own: its backdrop, its logo, and looks with names. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  Look,
  RecipeInput,
  UploadedIllustration,
} from '../../../clients/typescript/src/packshot-client.ts';
import { FileButton } from '../shared/buttons.tsx';
import { Chips } from '../shared/chips.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { acceptedFiles } from '../shared/photo-files.ts';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { type BackdropChoice, ownBackdrop } from './backdrop-choice.ts';
import { Slider } from './slider.tsx';

interface Props {
  /** Prefix for the names of the fields, which must be unique on the page. */
  readonly name: string;
  readonly choice: BackdropChoice;
  /** Called after a slow upload too, when other choices were made meanwhile. */
  readonly onChange: (change: Partial<BackdropChoice>) => void;
}

interface UploadProps {
  readonly title: string;
  readonly icon: 'image' | 'spark';
  /** What screen readers say afterwards. */
  readonly done: string;
  readonly onUploaded: (picture: UploadedIllustration) => void;
}

/** A button that uploads a picture. */
function Upload({ title, icon, done, onUploaded }: UploadProps): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const upload = (file: File) =>
    task.start(async (signal) => {
      onUploaded(await client.uploadIllustration(file, { name: file.name, signal }));
      announce(done);
    });
  return (
    <>
      <FileButton input={{ accept: acceptedFiles }} onFiles={([file]) => upload(file)}>
        <Icon name={icon} /> {task.running ? t('Uploading') : title}
      </FileButton>
      <FaultNotice error={task.error} />
    </>
  );
}

/** The shop's own picture behind its products. */
export function OwnBackdrop({ choice, onChange }: Props): JSX.Element {
  const shown = choice.chosen === ownBackdrop ? choice.images?.primaryIllustration?.previewUri : undefined;
  return (
    <div class="brand-row">
      {shown && <img class="brand-picture" src={shown} alt={t('Your backdrop')} />}
      <Upload
        title={shown ? t('Another backdrop') : t('Use my own backdrop')}
        icon="image"
        done={t('Your backdrop is here.')}
        onUploaded={(primaryIllustration) =>
          onChange({ chosen: ownBackdrop, images: { primaryIllustration } })
        }
      />
    </div>
  );
}

const corners = [
  { id: 'top-left', title: 'Top left' },
  { id: 'top-right', title: 'Top right' },
  { id: 'bottom-left', title: 'Bottom left' },
  { id: 'bottom-right', title: 'Bottom right' },
] as const;

/** A share of the picture's shorter side, as the service has it. */
const usualSize = 0.18;

export function LogoChoice({ name, choice: { logo }, onChange }: Props): JSX.Element {
  /** Its corner and size may change during the upload of another one. */
  const latest = useRef(logo);
  latest.current = logo;
  return (
    <fieldset class="group">
      <legend>{t('Logo')}</legend>
      <div class="brand-row">
        {logo && <img class="brand-picture checker" src={logo.previewUri} alt={t('Your logo')} />}
        <Upload
          title={logo ? t('Another logo') : t('Add your logo')}
          icon="spark"
          done={t('Your logo is in the corner.')}
          onUploaded={({ uri, previewUri }) => onChange({ logo: { ...latest.current, uri, previewUri } })}
        />
        {logo && (
          <button type="button" class="button plain" onClick={() => onChange({ logo: undefined })}>
            {t('Remove')}
          </button>
        )}
      </div>
      {logo && (
        <>
          <Chips
            name={`${name}-corner`}
            options={corners}
            chosen={logo.corner ?? 'bottom-right'}
            onChoose={(corner) => onChange({ logo: { ...logo, corner } })}
          />
          <Slider
            id={`${name}-logo`}
            title={t('Size of the logo')}
            unit="%"
            value={Math.round(100 * (logo.size ?? usualSize))}
            min={5}
            max={50}
            onChange={(value) => onChange({ logo: { ...logo, size: value / 100 } })}
          />
          <p class="small soft">{t('Main images for marketplaces stay without it.')}</p>
        </>
      )}
    </fieldset>
  );
}

interface SaveProps {
  readonly from: RecipeInput;
  readonly onSaved: (look: Look, from: RecipeInput) => void;
}

/** Keeps a choice as a look with a name. */
export function SaveLook({ from, onSaved }: SaveProps): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const [title, setTitle] = useState('');
  const named = title.trim();
  const save = () =>
    task.start(async (signal) => {
      const { recipeId, variant, mutations } = from;
      const content = { recipeId, variant, mutations };
      const look = await client.keepLook({ from: content, ...(named && { title: named }) }, { signal });
      setTitle('');
      announce(t('Saved as {title}.', { title: look.title }));
      onSaved(look, from);
    });
  return (
    <div class="field">
      <label for="look-name">{t('Save as a look')}</label>
      <form
        class="brand-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (!task.running) save();
        }}
      >
        <input
          id="look-name"
          class="input"
          maxLength={80}
          placeholder={t('Name, such as Spring')}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          {t('Save')}
        </button>
      </form>
      <FaultNotice error={task.error} onRetry={save} />
    </div>
  );
}

interface LookProps {
  readonly look: Look;
  readonly onChanged: () => void;
  readonly onDeleted: (look: Look) => void;
}

/** Renames and deletes the chosen look. */
export function LookActions({ look, onChanged, onDeleted }: LookProps): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const [title, setTitle] = useState(look.title);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    setTitle(look.title);
    setAsking(false);
  }, [look.id, look.title]);
  const named = title.trim();
  const isNew = named !== '' && named !== look.title;
  const rename = () =>
    task.start(async (signal) => {
      const { from } = await client.getLook(look.id, { signal });
      await client.keepLook({ from, title: named }, { signal });
      announce(t('Renamed to {named}.', { named }));
      onChanged();
    });
  const erase = () =>
    task.start(async (signal) => {
      await client.deleteLook(look.id, { signal });
      announce(t('{title} is deleted.', { title: look.title }));
      onDeleted(look);
    });
  return (
    <>
      <form
        class="brand-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNew) rename();
        }}
      >
        <input
          class="input"
          aria-label={t('Name of the look')}
          maxLength={80}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        {isNew ? (
          <button type="submit" class="button">
            {t('Rename')}
          </button>
        ) : (
          <button
            type="button"
            class={asking ? 'button danger' : 'button plain'}
            onBlur={() => setAsking(false)}
            onClick={() => (asking ? erase() : setAsking(true))}
          >
            {asking ? t('Delete for good') : t('Delete')}
          </button>
        )}
      </form>
      <FaultNotice error={task.error} />
    </>
  );
}
