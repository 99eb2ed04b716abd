/** The page's icons, drawn on a 20 px grid with one stroke width. */
import type { JSX } from 'preact';

const paths = {
  arrowLeft: 'M12.5 4.5 7 10l5.5 5.5',
  arrowRight: 'M7.5 4.5 13 10l-5.5 5.5',
  brush:
    'M16.5 3.5c-3.5 1.8-6 4.3-7.7 7.2l1.5 1.5c2.9-1.7 5.4-4.2 6.2-8.7zM8 12c-2.5 0-2 3.3-4.5 4 3.4 1.2 6.4.3 6.3-2.2z',
  camera: 'M3.5 7h3l1.5-2.5h4L13.5 7h3v9h-13zM10 13.7a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  code: 'M7 6 3 10l4 4m6-8 4 4-4 4',
  copy: 'M7.5 7.5h8.5v8.5H7.5zM4.5 12.5H4v-8.5h8.5v.5',
  download: 'M10 3.5v9m-3.7-3.5L10 12.7 13.7 9M4 16.5h12',
  grid: 'M3.5 3.5h5v5h-5zm8 0h5v5h-5zm-8 8h5v5h-5zm8 0h5v5h-5z',
  fault: 'M10 6.5v4.2m0 2.6v.1M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15',
  image: 'M3.5 4.5h13v11h-13zm0 8.5 3.7-3.5 3 3 2.3-2 4 3.5M12.7 8v.1',
  key: 'M12.8 11.2a3.7 3.7 0 1 0-3-3L3.5 14.5v2h3V15h1.7v-1.7zm.5-4.5v.1',
  minus: 'M4.5 10h11',
  pen: 'm4 16 .7-3.2L13.5 4l2.5 2.5-8.8 8.8zM12 5.5 14.5 8',
  plus: 'M10 4.5v11M4.5 10h11',
  retry: 'M4.5 10a5.5 5.5 0 1 1 1.8 4.1M4.5 15.5v-3.2h3.2',
  spark: 'M10 3.5c.6 4 2.5 5.9 6.5 6.5-4 .6-5.9 2.5-6.5 6.5-.6-4-2.5-5.9-6.5-6.5 4-.6 5.9-2.5 6.5-6.5',
  swap: 'M7.5 6.5 4 10l3.5 3.5zM12.5 6.5 16 10l-3.5 3.5z',
  trash: 'M4 6h12m-7.5 0V4h3v2m-6 0 .7 10.5h7.6L14.5 6m-6 3.5v4m3-4v4',
  undo: 'M7 4.5 3.5 8 7 11.5M4 8h7.5a4 4 0 0 1 0 8H8',
  upload: 'M10 13V4m-3.7 3.5L10 3.8l3.7 3.7M4 16.5h12',
};

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
