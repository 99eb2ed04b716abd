/** Checks the links between our pages: each target file, and heading, must exist. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Pages with the anchors of their headings. */
const pages = new Map<string, { readonly text: string; readonly anchors: ReadonlySet<string> }>();
for (const path of await listPages(root)) {
  // Code blocks contain no links or headings.
  const text = (await readFile(path, 'utf8')).replace(/^```.*?^```/gms, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading));
  pages.set(path, { text, anchors: new Set(headings) });
}

const problems: string[] = [];
let count = 0;
for (const [path, { text }] of pages) {
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    count++;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    const found = await stat(target).catch(() => undefined);
    const isMissing = !found || (anchor !== undefined && pages.get(target)?.anchors.has(anchor) === false);
    if (isMissing) problems.push(`${relative(root, path)}: ${link} leads nowhere`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${pages.size} pages, ${count} links, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

async function listPages(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && !['node_modules', 'data', 'dist', 'out'].includes(name))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return listPages(path);
        return entry.name.endsWith('.md') ? [path] : [];
      }),
  );
  return found.flat();
}

/** Anchors as GitHub generates them. */
function toAnchor(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
}
