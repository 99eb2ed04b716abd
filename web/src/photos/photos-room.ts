/** The code for many photos. It is loaded after the first screen, since most visits are for one photo. */

export { noteCorrection } from './note-correction.ts';
export type { Photo } from './photo.ts';
export { createPhotoQueue, type PhotoQueue } from './photo-queue.ts';
export { PhotoWalk } from './photo-walk.tsx';
export { PhotosScreen } from './photos-screen.tsx';
export { ProjectList } from './project-list.tsx';
export { createProjects, type Projects } from './projects.ts';
export { dressAll, dressOne, findDress, forgetLook, readSettings } from './settings.ts';
