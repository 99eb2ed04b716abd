/** Why work cannot be done just now, in words for whoever operates the service. */

export interface Watched {
  readonly stopping: boolean;
  readonly warm: boolean;
  readonly pingDatabase: () => Promise<boolean>;
  readonly findStorageObstacles: () => Promise<readonly string[]>;
  readonly pools: () => Readonly<
    Record<string, { readonly crashesInARow: number; readonly sinceCrashMs: number }>
  >;
  /** When the photo that has waited longest for its cutout came. */
  readonly findOldestJob: () => Promise<Date | undefined>;
  readonly maxJobAgeMs: number;
  readonly clock: () => number;
}

/** One photo ends two children, by being tried again; three in a row are more than one photo. */
const tooManyCrashes = 3;
/** Without work no success can follow the crashes, and without readiness no work may come: so they lapse. */
const crashesLapseMs = 60_000;

/** None when ready. Never rejects: an unknown is an obstacle, too. */
export async function findObstacles(watched: Watched): Promise<string[]> {
  const obstacles: string[] = [];
  if (watched.stopping) obstacles.push('the service is stopping');
  if (!watched.warm) obstacles.push('the removal engine is warming up');
  for (const [name, { crashesInARow, sinceCrashMs }] of Object.entries(watched.pools())) {
    if (crashesInARow >= tooManyCrashes && sinceCrashMs < crashesLapseMs) {
      obstacles.push(`${crashesInARow} ${name} processes have died in a row`);
    }
  }
  obstacles.push(...(await watched.findStorageObstacles()));
  if (!(await watched.pingDatabase())) return [...obstacles, 'the database does not answer'];
  const oldest = await watched.findOldestJob().catch(() => undefined);
  const ageMs = oldest ? watched.clock() - oldest.getTime() : 0;
  if (ageMs > watched.maxJobAgeMs) {
    obstacles.push(`a photo has waited ${Math.round(ageMs / 1000)} s for its cutout`);
  }
  return obstacles;
}
