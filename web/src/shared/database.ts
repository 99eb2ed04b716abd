/**
 * The page's data in IndexedDB. The page also works if the browser stores nothing, as in some private windows.
 */

/**
 * `photos`: what this browser knows of the photos of projects. `files`: the files of these photos, until they are cut
 * out. `pictures`: copies of photos and cutouts.
 */
type StoreName = 'photos' | 'files' | 'pictures';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('packshot-studio', 3);
    request.onupgradeneeded = () => {
      const { result } = request;
      // The photos of earlier versions were not in projects.
      for (const name of result.objectStoreNames) result.deleteObjectStore(name);
      result.createObjectStore('photos', { keyPath: 'key' });
      result.createObjectStore('files');
      result.createObjectStore('pictures', { keyPath: 'id' });
    };
    request.onsuccess = () => {
      const { result } = request;
      // Close the connection, so that a newer page in another tab can upgrade the stores; they are reopened
      // on next use.
      result.onversionchange = () => {
        result.close();
        opened = undefined;
      };
      resolve(result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/**
 * Resolves once the data is on disk; resolves to undefined if the browser stores nothing or has no space
 * left.
 */
export async function useStore<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  try {
    const transaction = (await open()).transaction(name, mode);
    const request = ask(transaction.objectStore(name));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}
