/** How commands refuse their input. */
import type { Command } from 'commander';
import { PackshotError } from 'packshot-errors';

export type Refuse = (why: string) => never;

/** For input that is refused before the command has changed anything; the command ends with exit code 2. */
export const refuseWith =
  (command: Command): Refuse =>
  (why) =>
    command.error(`error: ${why}`, { exitCode: 2 });

/** For input that turns out to be wrong while the command runs; the command ends with exit code 1. */
export const invalid = (message: string): PackshotError => new PackshotError('invalid_field', message);
