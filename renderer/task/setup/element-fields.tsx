import { Autocomplete, Group, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Check } from '../../../schemas/checks.ts';
import { CHECKED_STATES, COMMON_ROLES } from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';
import { elementWords, type ShownElement, takeElement, textOfValue, writtenValue } from './checks.ts';

type ElementCheck = Check & { kind: 'element' };
type Props = { check: ElementCheck; onChange: (check: Check) => void };

/** An element by its role and name, with a state and a value that it should have. */
export function ElementFields({ check, onChange }: Props): ReactNode {
  return (
    <>
      <Group gap={8} grow>
        <Autocomplete
          label={tr('Role')}
          placeholder={tr('any')}
          data={COMMON_ROLES}
          value={check.role ?? ''}
          onChange={(role) => onChange({ ...check, role: role || undefined })}
        />
        <TextInput
          label={tr('Its name')}
          placeholder={tr('any')}
          value={check.name ?? ''}
          onChange={(event) => onChange({ ...check, name: event.currentTarget.value || undefined })}
        />
      </Group>
      <Group gap={8} grow align="flex-end">
        <Select
          label={tr('State')}
          placeholder={tr('any')}
          clearable
          data={CHECKED_STATES}
          value={check.state ?? null}
          onChange={(state) => onChange({ ...check, state: state ?? undefined })}
        />
        <TextInput
          label={tr('Its text or number')}
          placeholder={tr('any')}
          value={check.equals === undefined ? '' : textOfValue(check.equals)}
          onChange={(event) => {
            const text = event.currentTarget.value;
            const value = writtenValue(text);
            onChange({ ...check, equals: text === '' ? undefined : typeof value === 'number' ? value : text });
          }}
        />
        <Switch
          label={tr('No such element may be shown')}
          checked={check.is === 'absent'}
          onChange={(event) => onChange({ ...check, is: event.currentTarget.checked ? 'absent' : 'there' })}
        />
      </Group>
    </>
  );
}

/** The elements that are shown there, of which one is picked. */
export function PickElement({ check, onChange, elements }: Props & { elements: readonly ShownElement[] }): ReactNode {
  if (elements.length === 0) return <p>{tr('No element is shown.')}</p>;
  return (
    <Select
      label={tr('The elements there: pick one')}
      searchable
      value={null}
      data={elements.map((one, n) => ({ value: String(n), label: elementWords(one) }))}
      onChange={(value) => {
        const picked = elements[Number(value ?? -1)];
        if (picked) onChange(takeElement(check, picked));
      }}
    />
  );
}
