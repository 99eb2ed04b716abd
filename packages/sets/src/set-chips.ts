/** Suggested prompt words, all of which the scenes can show, for users who prefer picking to typing. Data only. */

export interface ChipGroup {
  readonly title: string;
  readonly words: readonly string[];
}

/** The first group holds the most popular words. */
export const setChips: readonly ChipGroup[] = [
  {
    title: 'Popular',
    words: [
      'marble podium',
      'wooden table',
      'stone steps',
      'linen',
      'palm shadow',
      'window light',
      'arch',
      'pastel',
    ],
  },
  {
    title: 'Stands and grounds',
    words: [
      'podium',
      'concrete block',
      'travertine steps',
      'oak shelf',
      'marble counter',
      'rocks',
      'sand dunes',
      'water',
      'silk folds',
      'terrazzo floor',
    ],
  },
  {
    title: 'Behind and beside',
    words: [
      'curtain',
      'columns',
      'disc',
      'panels',
      'palm leaves',
      'branches',
      'petals',
      'pebbles',
      'no plants',
    ],
  },
  {
    title: 'Real places',
    words: [
      'sunny park',
      'forest',
      'city street',
      'by the sea',
      'misty field',
      'evening',
      'night city',
      'bright kitchen',
    ],
  },
  {
    title: 'Light',
    words: ['morning light', 'sunset', 'cool light', 'blinds', 'leaf shadow', 'spotlight', 'no shadows'],
  },
  {
    title: 'Colors and mood',
    words: [
      'white wall',
      'beige wall',
      'sage wall',
      'sky blue wall',
      'terracotta wall',
      'navy wall',
      'gold accents',
      'dark',
      'bold',
      'minimal',
    ],
  },
];
