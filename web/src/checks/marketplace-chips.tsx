/** A choice of marketplaces whose rules a picture is checked against. */
import type { JSX } from 'preact';
import type { Marketplace } from '../../../clients/typescript/src/packshot-client.ts';
import { ToggleChips } from '../shared/chips.tsx';
import { marketplaces } from './marketplaces.ts';

interface Props {
  readonly chosen: readonly Marketplace[];
  readonly onChange: (chosen: readonly Marketplace[]) => void;
}

export const MarketplaceChips = ({ chosen, onChange }: Props): JSX.Element => (
  <div class="chips">
    <ToggleChips options={marketplaces} chosen={chosen} onChange={onChange} />
  </div>
);
