/** `packshot delete`: deletes designs from a service, with everything made from them. */
import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import PQueue from 'p-queue';
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { PackshotError } from '../../clients/typescript/src/packshot-error.ts';
import { refuseWith } from './shared/refuse.ts';
import { addServerOptions, askService, type ServerOptions } from './shared/service-client.ts';

interface Options extends ServerOptions {
  readonly project?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
}

export function addDelete(program: Command): void {
  const command = program
    .command('delete')
    .summary('Delete a project, or all designs, from a service.')
    .description(
      "Delete photos from a service, with their cutouts and all pictures made from them, also those in batches. Only the key's account is affected. Looks and backdrops stay.",
    )
    .addOption(new Option('--project <name>', 'delete the designs of this project').conflicts('all'))
    .option('--all', "delete all designs of the key's account")
    .option('-y, --yes', 'do not ask for confirmation');
  addServerOptions(command).action(runDelete);
}

async function runDelete(options: Options, command: Command): Promise<void> {
  const refuse = refuseWith(command);
  const { project, all, yes } = options;
  if (options.server === undefined) refuse('Designs are on a service: specify it with --server.');
  if (project === undefined && !all) refuse('Say what to delete: --project NAME or --all.');
  const { client, calls } = (await askService(options, command))!;
  const found = await find(client, project);
  // An empty project may still have expired designs, which the list leaves out.
  if (
    !yes &&
    found.designs > 0 &&
    !(await confirm(`Delete ${count(found.designs)}${found.where} for good?`))
  ) {
    console.log('Nothing was deleted. Answer with y, or use --yes.');
    process.exitCode = 1;
    return;
  }
  console.log(`Deleted ${count(await found.erase(calls))}${found.where}.`);
}

interface Found {
  readonly designs: number;
  readonly where: string;
  /** Returns the number of deleted designs. */
  readonly erase: (calls: number) => Promise<number>;
}

async function find(client: PackshotClient, project: string | undefined): Promise<Found> {
  if (project !== undefined) {
    const name = project.normalize().trim();
    const { designs = 0 } = (await client.projects()).find((one) => one.name === name) ?? {};
    const erase = async () => (await client.deleteProject(project)).deleted;
    return { designs, where: ` of the project "${name}"`, erase };
  }
  const ids = await listIds(client);
  return { designs: ids.length, where: '', erase: (calls) => eraseAll(client, ids, calls) };
}

async function listIds(client: PackshotClient): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await client.listDesigns({ after });
    ids.push(...page.designs.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

async function eraseAll(client: PackshotClient, ids: readonly string[], calls: number): Promise<number> {
  const queue = new PQueue({ concurrency: calls });
  const erased = await queue.addAll(ids.map((id) => () => eraseOne(client, id)));
  return erased.filter(Boolean).length;
}

/** Returns false for a design that has expired or was deleted in the meantime. */
async function eraseOne(client: PackshotClient, id: string): Promise<boolean> {
  try {
    await client.deleteDesign(id);
    return true;
  } catch (error) {
    if (error instanceof PackshotError && error.code === 'design_not_found') return false;
    throw error;
  }
}

async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `);
  for await (const line of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(line.trim());
  return false;
}

const count = (designs: number) => `${designs} ${designs === 1 ? 'design' : 'designs'}`;
