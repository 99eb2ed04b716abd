/**
 * Applies the backdrop or scene of one product to all photos. A suggested scene is first saved as a look, because it is
 * planned for one product.
 */
import type { JSX } from 'preact';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { type Backdrop, type BackdropChoice, firstChoice } from './backdrop-choice.ts';

interface Props {
  /** The project whose photos it is applied to; null if the design belongs to none. */
  readonly project: string | null;
  readonly backdrop: Backdrop;
  /** The chosen backdrop; undefined if the picture is a scene. */
  readonly choice?: BackdropChoice;
}

export function UseForAll({ project, backdrop, choice }: Props): JSX.Element | null {
  const { client, dressAll, announce } = useSession();
  const task = useTask();
  const { title, recipeId, variant, mutations } = backdrop;
  if (project === null) return null;
  const begin = (): void => {
    if (choice) {
      dressAll(project, backdrop, choice);
      return;
    }
    task.start(async (signal) => {
      const look = await client.keepLook(
        { from: { recipeId, variant, mutations }, title: title.slice(0, 80) },
        { signal },
      );
      announce(t('The scene is saved as a look.'));
      const ratio = look.variants.includes(variant) ? variant : (look.variants[0] ?? variant);
      dressAll(
        project,
        { recipeId: look.id, variant: ratio, title: look.title },
        { ...firstChoice, chosen: look.id, variant: ratio },
      );
    });
  };
  return (
    <>
      <button
        type="button"
        class="button use-for-all"
        aria-disabled={task.running}
        onClick={() => task.running || begin()}
      >
        <Icon name="grid" /> {t('Use for all photos')}
      </button>
      <FaultNotice error={task.error} onRetry={begin} />
    </>
  );
}
