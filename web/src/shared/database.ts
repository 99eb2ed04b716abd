/**
 * The page's data in IndexedDB. The page also works if the browser stores nothing, as in some private windows.
 */

/**
 * `designs`: this browser's designs. `photos`: the list of many photos. `files`: the files of the photos in that
 * list, until they are cut out.
 */
type StoreName = 'designs' | 'photos' | 'files';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('packshot-studio', 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      const { result } = request;
      if (oldVersion < 1) result.createObjectStore('designs', { keyPath: 'id' });
      if (oldVersion < 2) {
        result.createObjectStore('photos', { keyPath: 'key' });
        result.createObjectStore('files');
      }
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
