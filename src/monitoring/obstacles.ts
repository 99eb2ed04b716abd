/** Readiness: reasons why the service cannot work now, as messages for operators. */

export interface Watched {
  readonly stopping: boolean;
  readonly warm: boolean;
  readonly pingDatabase: () => Promise<boolean>;
  readonly findStorageObstacles: () => Promise<readonly string[]>;
  readonly pools: () => Readonly<
    Record<string, { readonly crashesInARow: number; readonly sinceCrashMs: number }>
  >;
  /** Creation time of the photo that has waited longest for its cutout. */
  readonly findOldestJob: () => Promise<Date | undefined>;
  readonly maxJobAgeMs: number;
  readonly clock: () => number;
}

/** One photo can crash two children, because its cutout is retried. Three crashes in a row have another cause. */
const tooManyCrashes = 3;
/** Crashes expire after this time, because a service that is not ready gets no work whose success could clear them. */
const crashesLapseMs = 60_000;

/** Empty if the service is ready. Never rejects: a storage or database that cannot be checked is itself an obstacle. */
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
  if (!(await watched.pingDatabase())) return [...obstacles, 'the database does not respond'];
  const oldest = await watched.findOldestJob().catch(() => undefined);
  const ageMs = oldest ? watched.clock() - oldest.getTime() : 0;
  if (ageMs > watched.maxJobAgeMs) {
    obstacles.push(`a photo has waited ${Math.round(ageMs / 1000)} s for its cutout`);
  }
  return obstacles;
}
