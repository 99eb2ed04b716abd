/** What photos can be put on: the service's recipes, and the looks that this account kept. */
import { useEffect, useState } from 'preact/hooks';
import type { Look, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { useSession } from '../shared/session.ts';

interface Catalogue {
  readonly recipes: Recipes['recipes'];
  readonly looks: readonly Look[];
}

/** Empty until it came; what keeps photos waiting is said where they are. */
export function useCatalogue(): Catalogue {
  const { client, hasKey } = useSession();
  const [catalogue, setCatalogue] = useState<Catalogue>({ recipes: [], looks: [] });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const fetchAll = async () => {
      const [recipes, looks] = await Promise.all([client.recipes({ signal }), client.looks({ signal })]);
      setCatalogue({ recipes, looks });
    };
    if (hasKey) fetchAll().catch(() => undefined);
    return () => leaving.abort();
  }, [client]);
  return catalogue;
}
