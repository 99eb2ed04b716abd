/** The files that a local MCP server may read and write: those below its roots, after links are resolved. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from './results.ts';

export type LocalFiles = Awaited<ReturnType<typeof openLocalFiles>>;

/** Throws if a root is not a readable folder. */
export async function openLocalFiles(folders: readonly string[]) {
  const roots = await Promise.all(folders.map((folder) => realpath(folder)));
  const [first = process.cwd()] = roots;
  const listed = roots.join(', ');

  function refuse(path: string): ToolError {
    const advice = ofSandbox.test(path)
      ? 'It is a path of the chat, which only the chat can read: save the photo in one of these folders, or send it as `base64` or `url`.'
      : 'Use a path within one of them.';
    return new ToolError(`${path} is outside the folders that this server may use: ${listed}. ${advice}`);
  }

  const isInside = (path: string) =>
    roots.some((root) => {
      const way = relative(root, path);
      return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
    });

  /** Relative paths start at the first root. */
  const toAbsolute = (path: string) => resolve(first, toPath(path));

  /** Returns the path with links resolved; never reveals whether a path outside the roots exists. */
  async function resolveInside(path: string): Promise<string> {
    const absolute = toAbsolute(path);
    const real = await realpath(absolute).catch(() => undefined);
    if (real === undefined) {
      if (!isInside(absolute)) throw refuse(path);
      throw new ToolError(`${path} does not exist or cannot be read.`);
    }
    if (!isInside(real)) throw refuse(path);
    return real;
  }

  return {
    roots,

    /** Reads a file of at most `maxBytes`. Throws `ToolError`. */
    async readPhoto(
      path: string,
      maxBytes: number,
    ): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
      const real = await resolveInside(path);
      const facts = await stat(real);
      if (!facts.isFile()) throw new ToolError(`${path} is not a file.`);
      if (facts.size > maxBytes) {
        throw new ToolError(`${path} has ${facts.size} bytes; photos may have up to ${maxBytes}.`);
      }
      const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        return { name: basename(real), bytes: new Uint8Array(await file.readFile()) };
      } catch (cause) {
        throw new ToolError(`${path} cannot be read.`, { cause });
      } finally {
        await file.close();
      }
    },

    /**
     * Chooses and checks the path of a picture before the picture is rendered: `wanted` if given; else beside the
     * photo, or in the first root if the photo has no path. The file is named after the photo, or after `id`, followed
     * by `ending`. Throws `ToolError`.
     */
    async planOutput(
      wanted: string | undefined,
      {
        photo,
        id,
        ending,
      }: { readonly photo: string | undefined; readonly id: string; readonly ending: string },
    ): Promise<string> {
      if (wanted !== undefined) {
        const absolute = toAbsolute(wanted);
        return join(await resolveInside(dirname(absolute)), basename(absolute));
      }
      const folder = photo === undefined ? first : dirname(await resolveInside(photo));
      const stem = photo === undefined ? id : parse(toPath(photo)).name;
      return join(folder, basename(`${stem}-${ending}`));
    },

    /** Returns the path of the written file. Never replaces a file: appends a number if the name exists. */
    async write(path: string, bytes: Uint8Array): Promise<string> {
      const ending = extname(path);
      const stem = path.slice(0, path.length - ending.length);
      for (let number = 1; ; number++) {
        const free = number === 1 ? path : `${stem}-${number}${ending}`;
        try {
          // Fails if anything exists there, including a link.
          const file = await open(free, 'wx');
          try {
            await file.writeFile(bytes);
          } finally {
            await file.close();
          }
          return free;
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && number < mostNumbers) continue;
          throw new ToolError(`${free} cannot be written.`, { cause });
        }
      }
    },
  };
}

const mostNumbers = 1_000;

/** Folders of the machines on which chats run their own tools. */
const ofSandbox = /^(sandbox:|\/mnt\/(data|user-data)\b|\/home\/(claude|sandbox|oai)\b)/;

/** Accepts the `file://` links that our own results contain, and `~` as a shell does. */
function toPath(path: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  if (!/^file:/i.test(path)) return path.replace(/^sandbox:/, '');
  try {
    return fileURLToPath(path);
  } catch (cause) {
    throw new ToolError(`${path} is not the link of a file on this machine.`, { cause });
  }
}
