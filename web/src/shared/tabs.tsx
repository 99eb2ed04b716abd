/** Tabs as in the ARIA Authoring Practices: arrow keys change tabs, and only the selected tab is in the tab order. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type English, t, translate } from './words.ts';

interface Props<Id extends string> {
  readonly tabs: readonly { readonly id: Id; readonly title: English }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

export function Tabs<Id extends string>({ tabs, chosen, onChoose }: Props<Id>): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent): void {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length]!;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  }
  return (
    <div class="tabs" role="tablist" aria-label={t('Views')} ref={list} onKeyDown={move}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={`panel-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {translate(title)}
        </button>
      ))}
    </div>
  );
}
