/** `packshot batch`: sends whole folders of photos to a service in batches, and downloads the results. */
import { type Command, Option } from 'commander';
import { listRows, revisionOf } from './batch-run/list-rows.ts';
import { makeBatches } from './batch-run/make-batches.ts';
import { printUrls } from './batch-run/print-urls.ts';
import {
  addPictureOptions,
  defaultFolder,
  type OrderOptions,
  planOrder,
} from './photo-run/picture-target.ts';
import { nameOutputs } from './photo-run/place-outputs.ts';
import { addReportOption, type ReportFileOptions } from './photo-run/report-file.ts';
import { endRun, reportRun } from './photo-run/run-photos.ts';
import { addCheckOption, type CheckOptions } from './shared/check-pictures.ts';
import { type Refuse, refuseWith } from './shared/refuse.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './shared/service-client.ts';

interface Options extends OrderOptions, ServerOptions, CheckOptions, ReportFileOptions {
  readonly out: string;
  readonly recursive?: boolean;
  readonly overwrite?: boolean;
  readonly url?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addBatch(program: Command): void {
  const command = program
    .command('batch')
    .summary('Process whole folders of photos in batches on a service.')
    .description(
      'Render full versions of many photos on a service: sends them in batches, which the service processes at low priority, and downloads the results.',
    )
    .argument('<photo...>', 'photos, folders of photos, or URLs; or one .csv file that lists the pictures')
    .option('-o, --out <where>', 'folder for the pictures, or a .zip file', defaultFolder);
  addPictureOptions(command)
    .option('-r, --recursive', 'include subfolders, and create the same subfolders in the output')
    .option('--overwrite', 'make every picture again, and replace existing files')
    .addOption(
      new Option(
        '--url',
        "print a CSV of each picture's name and signed URL instead of making files",
      ).conflicts(['json', 'check', 'keepMetadata', 'out']),
    )
    .option('--json', 'print one JSON line per photo')
    .option('-q, --quiet', 'print failures only');
  addCheckOption(command);
  addReportOption(command);
  addServerOptions(command).addHelpText('after', help).action(runBatches);
}

const help = `
If this command is interrupted, the service keeps working: run the same command again to download what is done and to send
the rest. Photos that do not fit into one batch are sent in several; .zip files are then numbered: out.zip, out-2.zip.

A list is a CSV with the columns sku, photo, recipe or look, ratio and name. Only photo is needed: a URL, or a path as
seen from the list. The options are for rows that leave a cell empty. {sku} and {n} in a name stand for the row's sku and
for the number of that sku's picture; without a name, a picture is called {sku}_{n}.

Exit code: 0 all done, 1 some failed or did not pass --check, 2 invalid command line (nothing was sent), 130 interrupted.

Examples:
  export PACKSHOT_API_KEY=psk_live_...
  packshot batch photos/ --recipe Solid1_1_0035 -o out/ --server http://127.0.0.1:8080
  packshot batch photos/ --recipe Solid4_5_0035 --margin 7% -o autumn.zip --server http://127.0.0.1:8080
  packshot batch products.csv -o shop.zip --server http://127.0.0.1:8080
  packshot batch products.csv --url --server http://127.0.0.1:8080 > urls.csv`;

async function runBatches(words: readonly string[], options: Options, command: Command): Promise<void> {
  const refuse: Refuse = refuseWith(command);
  if (options.server === undefined) refuse('Batches run on a service: specify it with --server.');
  const service = (await askService(options, command))!;
  const [list] = words.filter((word) => /\.csv$/i.test(word));
  if (list !== undefined && words.length > 1)
    refuse(`${list} is a list: give it alone, without further photos.`);
  const { named, orderOf, settings } =
    list === undefined
      ? await orderPhotos(words, options, service, refuse)
      : { ...(await listRows(list, options, service, refuse)), settings: ['list'] };
  await reportRun(
    { ...options, total: named.size, noun: 'photo', resumes: true },
    async (reported) => {
      const run = { named, orderOf, service, ...reported };
      if (options.url) return printUrls(run);
      const ended = await makeBatches({ ...run, settings, options });
      return endRun({ ...ended, ...reported, where: `done, in ${options.out}` });
    },
    'Stopping; the service continues with the batches that it has received.',
  );
}

/** Photos that are all made with the same options. */
async function orderPhotos(words: readonly string[], options: Options, service: Service, refuse: Refuse) {
  if (options.recipe === undefined && options.background === undefined) {
    refuse('A batch needs a recipe, such as --recipe Solid1_1_0035 (white) or --recipe Transp001.');
  }
  const target = { kind: 'folder', path: options.out } as const;
  const order = planOrder(options, target, service.recipes, refuse);
  const named = await nameOutputs(words, options, target, order, refuse);
  if ([...named.keys()].some(({ kind }) => kind === 'stdin')) {
    refuse('A batch accepts files, folders and URLs; pipe a single photo into `packshot remove -`.');
  }
  return { named, orderOf: () => order, settings: [order, revisionOf(order)] };
}
