/** Names of downloads: the photo's name, followed by the kind of picture. */

/** The file name without folder, extension and characters that file systems reject. */
export function baseName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .slice(0, 80)
    .trim();
  return name || 'photo';
}

export function downloadName(photo: string, what: string, format: string): string {
  const slug = what
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${photo}-${slug || 'picture'}.${format}`;
}
