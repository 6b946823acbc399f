import { Radio, Select, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';

type Words = { label: string; description: string };

/** The source of an export: everything there is now, or one of the frozen versions. */
export function SourceChoice(props: {
  /** The name of the choice, for people who hear the page. */
  label: string;
  /** The choice that is no version. */
  whole: Words;
  /** The words on a version; `none` while there is none to choose. */
  frozen: { description: string; none: string };
  /** Names of the frozen versions: the first is proposed. */
  versions: readonly string[];
  /** The version that is chosen; null: the whole. */
  version: string | null;
  disabled?: boolean;
  onChange: (version: string | null) => void;
}): ReactNode {
  const { label, whole, frozen, versions, version, disabled = false, onChange } = props;
  const none = versions.length === 0;
  return (
    <Stack gap={8}>
      <Radio.Group
        aria-label={label}
        value={version === null ? 'whole' : 'version'}
        onChange={(kind) => onChange(kind === 'version' ? (versions[0] ?? null) : null)}
      >
        <Stack gap={8}>
          <Radio value="whole" size="xs" {...whole} disabled={disabled} />
          <Radio
            value="version"
            size="xs"
            label={tr('A frozen version')}
            description={none ? frozen.none : frozen.description}
            disabled={disabled || none}
          />
        </Stack>
      </Radio.Group>
      {version !== null && (
        <Select
          aria-label={tr('Version')}
          data={versions}
          value={version}
          onChange={onChange}
          allowDeselect={false}
          disabled={disabled}
          w={240}
          ml={28}
        />
      )}
    </Stack>
  );
}
