/**
 * Panel for choosing one look (a recipe or a saved scene) for all photos or for the selected ones, the marketplaces to
 * check for, and the files to make.
 */
import type { JSX } from 'preact';
import type { Look, RecipeInput, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { BackdropChooser } from '../pictures/backdrop-chooser.tsx';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { t } from '../shared/words.ts';
import { CheckPanel } from './check-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import type { Photo } from './photo.ts';
import type { Settings } from './settings.ts';
import type { Checks } from './use-checks.ts';

interface Props {
  readonly recipes: Recipes['recipes'];
  readonly looks: readonly Look[];
  /** The photos to which a chosen look is applied: the selected photos, or all. */
  readonly targets: readonly Photo[];
  readonly forAll: boolean;
  readonly settings: Settings;
  readonly previews: PreviewQueue;
  readonly checks: Checks;
  readonly onSettings: (change: Partial<Settings>) => void;
  readonly onChoice: (change: Partial<Settings['choice']>) => void;
  readonly onFix: () => void;
  readonly onLooks: () => void;
  readonly onLookSaved: (look: Look, from: RecipeInput) => void;
  readonly onLookDeleted: (look: Look) => void;
  readonly onScenes: (() => void) | undefined;
}

export function LookPanel(props: Props): JSX.Element {
  const { targets, forAll, settings, onChoice } = props;
  const sample = targets.find(({ state }) => state === 'ready')?.designId ?? null;
  const { choice } = settings;
  return (
    <>
      <div>
        <h2>
          {t('One look for {value}', {
            value: forAll ? t('all photos') : t('{length} selected', { length: targets.length }),
          })}
        </h2>
        <p class="small soft">{t('The pictures in the grid change as you choose.')}</p>
      </div>
      <BackdropChooser {...props} name="look" sampleId={sample} choice={choice} onChange={onChoice}>
        <CheckPanel {...props} />
      </BackdropChooser>
      <FilesPanel {...props} />
    </>
  );
}
