/** Buttons that look the same wherever they are: one with an icon only, and one that takes files. */
import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface IconProps {
  readonly icon: IconName;
  /** For screen readers. */
  readonly name: string;
  /** Shown under the pointer. */
  readonly title?: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

export const IconButton = ({ icon, name, title, isDisabled, onClick }: IconProps): JSX.Element => (
  <button
    type="button"
    class="button plain icon"
    aria-label={name}
    title={title}
    aria-disabled={isDisabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);

interface FileProps {
  readonly kind?: string;
  readonly title?: string;
  /** What the browser's chooser is told: which files, how many, and whether to take a photo. */
  readonly input: Pick<JSX.IntrinsicElements['input'], 'accept' | 'multiple' | 'capture' | 'disabled'>;
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
  readonly children: ComponentChildren;
}

export const FileButton = ({ kind = 'button', title, input, onFiles, children }: FileProps): JSX.Element => (
  <label class={kind} title={title}>
    <input
      class="hidden"
      type="file"
      {...input}
      onChange={({ currentTarget: field }) => {
        const [first, ...others] = field.files ?? [];
        // So that the same file can be chosen again.
        field.value = '';
        if (first) onFiles([first, ...others]);
      }}
    />
    {children}
  </label>
);
