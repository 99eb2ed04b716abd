/** The words of docs/prompt-words.md: what each entry of the prompt's dictionary does, as the planner really does it. */
import { aiStudio } from '../../src/recipes/presets.ts';
import { colorEntries } from '../../src/scenes/prompt/color-words.ts';
import { readUnits } from '../../src/scenes/prompt/read-units.ts';
import { hintEntries, placeEntries, surfaceEntries } from '../../src/scenes/prompt/scene-words.ts';
import { planWithReport } from '../../src/scenes/report-words.ts';
import { makeFeatures } from '../../src/scenes/testing/silhouettes.ts';

export function promptWordsPage(): string {
  const sections = [
    ['Materials', surfaceEntries],
    ['Stands, backdrops and props', placeEntries],
    ['Light, mood and places', hintEntries],
  ] as const;
  return `# Words of a prompt

Made by \`npm run docs\` from the dictionary in \`src/scenes/prompt/\`: for each entry, what its first word does to the
scenes of an upright cosmetic when it is all that the prompt says. [scenes.md](scenes.md) shows the sets and how words
combine. The answer to \`POST /v1/design/suggest\` says for each prompt which words changed its scenes (\`prompt.used\`)
and which did not (\`prompt.notShown\`). Accents may be left out, and endings may differ.

${sections.map(([title, entries]) => `## ${title}\n\n| Words | Effect |\n|---|---|\n${entries.map(([, words]) => describeEntry(words)).join('\n')}`).join('\n\n')}

## Colors

In English, German, French and Spanish. "Light", "pale", "dark", "bright" and "muted" before a color or a material
change it. A color belongs to the noun it stands with; without one it is the wall's.

${colorEntries.map(({ color }) => color.name).join(', ')}.
`;
}

function describeEntry(text: string): string {
  const words = text.split(',');
  return `| ${words.join(', ')} | ${effectOf(words[0]!)} |`;
}

function effectOf(word: string): string {
  const { report } = planWithReport({
    product: { kind: 'Health & Beauty', staging: 'upright-tall' },
    features: makeFeatures(),
    units: readUnits(word),
    stated: undefined,
    ratio: '1:1',
    preset: { ...aiStudio, lists: 1 },
    seed: 1,
  });
  return (
    report?.used.map(({ effect }) => effect).join(', ') || 'names a part of the set for colors and materials'
  );
}
