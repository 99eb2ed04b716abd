/** One badge for each marketplace: whether the photo's picture passes the check; the tooltip shows the reasons. */
import type { JSX } from 'preact';
import { Icon } from '../shared/icons.tsx';
import { titleOf } from './marketplaces.ts';
import { type Photo, pictureOf } from './photo.ts';

export function CheckBadges({ photo }: { readonly photo: Photo }): JSX.Element | null {
  const { checked } = photo;
  if (!checked || checked.of !== pictureOf(photo)) return null;
  return (
    <ul class="badges">
      {checked.verdicts.map(({ marketplace, verdict, summary, faults }) => (
        <li key={marketplace} class={`badge ${verdict}`} title={[summary, ...faults].join('\n')}>
          <Icon name={verdict === 'passes' ? 'check' : 'fault'} size={14} />
          {titleOf(marketplace)}
          <span class="hidden">
            {verdict === 'passes' || faults.length === 0
              ? `: ${summary}`
              : `: ${verdict}. ${faults.join('. ')}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
