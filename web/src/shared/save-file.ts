/** Hands bytes to the browser as a download. */
export function saveFile(bytes: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = fileName;
  link.click();
  // The browser has to have begun reading; a minute is longer than any needs.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
