/**
 * A suggested scene as one string that a model can pass on: its recipe, its ratio and the signed illustration URI.
 */
import type { RenderInput, SuggestedRecipe } from '../../clients/typescript/src/packshot-client.ts';
import { ToolError } from './results.ts';

export function nameScene({ recipeId, variant, mutations }: SuggestedRecipe): string {
  const uri = mutations?.images?.primaryIllustration?.uri;
  return [recipeId, variant, uri ?? ''].join('|');
}

/** Throws `ToolError` if the string does not have the expected format. The signature is checked by the service. */
export function readScene(scene: string): Omit<RenderInput, 'id'> {
  const [recipeId = '', variant = '', uri = '', ...rest] = scene.split('|');
  const isComplete = recipeId !== '' && variant !== '' && URL.canParse(uri);
  if (!isComplete || rest.length > 0) {
    throw new ToolError('`scene` must be a value that `suggest_scenes` returned, unchanged.');
  }
  const primaryIllustration = { uri, source: 'WEB' } as const;
  return {
    recipeId,
    variant: variant as RenderInput['variant'],
    mutations: { images: { primaryIllustration } },
  };
}
