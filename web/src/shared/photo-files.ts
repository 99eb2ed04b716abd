/** Recognizes photos, for file choosers and dropped folders. */
export const acceptedFiles =
  'image/jpeg,image/png,image/webp,image/avif,image/tiff,image/gif,image/heic,image/heif,.heic,.heif';

const endings = /\.(jpe?g|png|webp|avif|tiff?|gif|heic|heif)$/i;

/** Whether the file is a photo, by its type or, because browsers know no type for HEIC, by its name. */
export function isPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || endings.test(name);
}

/**
 * The dropped files. If there are folders among them, the result has only photos, including those in nested folders;
 * the content of each folder is sorted by name. Must be called in the event handler, because the browser empties the
 * drop's data afterwards.
 */
export async function photosOfDrop(data: DataTransfer | null): Promise<File[]> {
  const entries = entriesOf(data);
  const plain = [...(data?.files ?? [])];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found = await Promise.all(entries.filter((entry) => entry !== null).map(filesIn));
  const photos = found.flat().filter(isPhoto);
  return photos.length > 0 ? photos : plain.filter(isPhoto);
}

/** The name of the dropped folder, if nothing else was dropped. Must be called in the event handler, too. */
export function folderOfDrop(data: DataTransfer | null): string | undefined {
  const [entry, other] = entriesOf(data);
  return entry?.isDirectory && other === undefined ? entry.name : undefined;
}

const entriesOf = (data: DataTransfer | null) =>
  [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  // Skips hidden files such as `.DS_Store`, and `._IMG_1.jpg` on network drives.
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile) {
    return new Promise((resolve) => {
      (entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      );
    });
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // The entries of a folder come in pages; an empty page marks the end.
    const page = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (page.length === 0) break;
    children.push(...page);
  }
  children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (await Promise.all(children.map(filesIn))).flat();
}
