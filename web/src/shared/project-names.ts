/** What the page must know of projects before their code is loaded. */
import { keepStored, readStored } from './stored.ts';

const slot = 'packshot.projects';

/** Remembers whether there are projects, so that the next visit leaves room for their list. */
export const noteProjects = (some: boolean): void => keepStored(slot, some ? 'some' : null);

export const hadProjects = (): boolean => readStored(slot) !== null;
