/** Saves bytes as a browser download. */
export function saveFile(bytes: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = fileName;
  link.click();
  // Revoke only after the browser has started reading; a minute is long enough.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
