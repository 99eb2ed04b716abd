/** The start page's list of projects: the user searches, opens, renames and deletes them. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createPreviewQueue, type PreviewQueue } from '../pictures/preview-queue.ts';
import { IconButton } from '../shared/buttons.tsx';
import { countWords } from '../shared/count-words.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { makePlace } from '../shared/kept-pictures.ts';
import { useSession } from '../shared/session.ts';
import { language, t } from '../shared/words.ts';
import { fetchCutoutThumb } from './cutout-thumb.ts';
import { EraseProject, RenameProject } from './project-dialogs.tsx';
import type { ProjectFacts, Projects } from './projects.ts';
import { useNear } from './use-tile-picture.ts';

interface Props {
  readonly projects: Projects;
  readonly onOpen: (name: string) => void;
}

/** Projects shown at first: more than a shop starts in a month of working days, few enough to draw at once. */
const shownAtFirst = 30;

export function ProjectList({ projects, onOpen }: Props): JSX.Element | null {
  const [, turn] = useState(0);
  useEffect(() => {
    const refresh = () => void projects.refresh();
    refresh();
    // Another browser may have changed the list meanwhile.
    addEventListener('focus', refresh);
    const leave = projects.subscribe(() => turn((count) => count + 1));
    return () => {
      removeEventListener('focus', refresh);
      leave();
    };
  }, [projects]);
  const previews = useMemo(createPreviewQueue, []);
  useEffect(() => () => previews.close(), []);
  const [search, setSearch] = useState('');
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState<{ what: 'rename' | 'erase'; project: ProjectFacts } | null>(null);
  const title = useRef<HTMLHeadingElement>(null);

  const list = projects.list();
  const fault = projects.fault();
  const wanted = search.trim().toLocaleLowerCase();
  const found = list.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const shown = all ? found : found.slice(0, shownAtFirst);
  if (list.length === 0 && fault === null) return null;
  return (
    <section class="projects" aria-labelledby="projects-title">
      <div class="projects-head">
        <h2 id="projects-title" ref={title} tabIndex={-1}>
          {t('Your projects')}
        </h2>
        {list.length > 1 && (
          <input
            class="input"
            type="search"
            aria-label={t('Search projects')}
            placeholder={t('Search')}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
      </div>
      <FaultNotice error={fault} onRetry={() => void projects.refresh()} />
      <ul class="project-list">
        {shown.map((project) => (
          <ProjectItem
            key={project.name}
            {...{ project, projects, previews, onOpen }}
            onRename={() => setAsked({ what: 'rename', project })}
            onErase={() => setAsked({ what: 'erase', project })}
          />
        ))}
      </ul>
      <p class="small soft" role="status">
        {wanted !== '' && t('{count} found', { count: countWords(found.length, 'project') })}
      </p>
      {shown.length < found.length && (
        <button type="button" class="button" onClick={() => setAll(true)}>
          {t('Show all {length}', { length: found.length })}
        </button>
      )}
      {asked?.what === 'rename' && (
        <RenameProject
          projects={projects}
          name={asked.project.name}
          onRenamed={() => undefined}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === 'erase' && (
        <EraseProject
          {...asked.project}
          projects={projects}
          onErased={() => title.current?.focus()}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface ItemProps extends Props {
  readonly project: ProjectFacts;
  readonly previews: PreviewQueue;
  readonly onRename: () => void;
  readonly onErase: () => void;
}

function ProjectItem({ project, projects, previews, onOpen, onRename, onErase }: ItemProps): JSX.Element {
  const { name, at } = project;
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place);
  const cover = useCover(near, project, projects, previews);
  return (
    <li ref={place} class="project">
      <button type="button" class="bare project-open" onClick={() => onOpen(name)}>
        <span class="project-cover">{cover ? <img src={cover} alt="" /> : <Icon name="image" />}</span>
        <span class="project-words">
          <span class="project-name ellipsis">
            <span class="hidden">{t('Open')} </span>
            {name}
          </span>
          <span class="small soft">
            {stateOf(project)} · <time dateTime={new Date(at).toISOString()}>{dateOf(at)}</time>
          </span>
        </span>
      </button>
      <IconButton icon="pen" name={t('Rename {name}', { name })} title={t('Rename')} onClick={onRename} />
      <IconButton icon="trash" name={t('Delete {name}', { name })} title={t('Delete')} onClick={onErase} />
    </li>
  );
}

function useCover(
  near: boolean,
  { name, moving }: ProjectFacts,
  projects: Projects,
  previews: PreviewQueue,
): string | null {
  const { client } = useSession();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!near || url !== null || moving > 0) return;
    let left = false;
    previews
      .show(name, async (signal) => {
        const id = await projects.findCover(name, signal);
        if (id === undefined) throw new Error('no photo is uploaded');
        await makePlace(id, name);
        return fetchCutoutThumb(client, id, { signal });
      })
      // Without a cutout, the icon stays.
      .then(
        (made) => left || setUrl(made),
        () => undefined,
      );
    return () => {
      left = true;
    };
  }, [near, client, moving > 0]);
  return url;
}

function stateOf({ photos, moving, doubtful, failed }: ProjectFacts): string {
  return [
    countWords(photos, 'photo'),
    ...(moving > 0 ? [t('{moving} to go', { moving })] : []),
    ...(doubtful > 0 ? [t('{doubtful} doubtful', { doubtful })] : []),
    ...(failed > 0 ? [t('{failed} failed', { failed })] : []),
  ].join(' · ');
}

function dateOf(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' });
  if (date.toDateString() === new Date().toDateString()) return t('today, {time}', { time });
  return date.toLocaleDateString(language, { day: 'numeric', month: 'short', year: 'numeric' });
}
