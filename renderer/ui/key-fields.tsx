import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { GivenKey } from '../../schemas/api/given-key.ts';
import { tr } from '../language/tr.ts';

/** Where the key of a model's endpoint comes from. A typed key is of this form alone: it is kept nowhere. */
export type KeyFrom = 'none' | 'env' | 'typed';
export type KeyChoice = { keyFrom: KeyFrom; variable: string; key: string };

/** Where a model is asked. */
export function EndpointField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <TextInput
      label={tr('Endpoint')}
      placeholder="http://127.0.0.1:8000/v1"
      value={value}
      maxLength={2000}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type Props = { given: KeyChoice; onChange: (more: Partial<KeyChoice>) => void };

export function KeyFields({ given: { keyFrom, variable, key }, onChange }: Props): ReactNode {
  return (
    <>
      <Select
        label={tr('API key')}
        data={[
          { value: 'none', label: tr('None') },
          { value: 'env', label: tr('In a variable of the studio’s environment') },
          { value: 'typed', label: tr('Typed here') },
        ]}
        value={keyFrom}
        onChange={(value) => onChange({ keyFrom: value === 'env' || value === 'typed' ? value : 'none', key: '' })}
        allowDeselect={false}
      />
      {keyFrom === 'env' && (
        <TextInput
          label={tr('Name of the variable')}
          placeholder="API_KEY"
          value={variable}
          maxLength={1000}
          onChange={(event) => onChange({ variable: event.currentTarget.value })}
        />
      )}
      {keyFrom === 'typed' && (
        <TextInput
          label={tr('The key')}
          type="password"
          autoComplete="off"
          value={key}
          maxLength={1000}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** The key in the form that the studio takes; null: it is still to be given. */
export function sentKey({ keyFrom: from, variable, key }: KeyChoice): GivenKey | null {
  if (from === 'none') return { from };
  const named = (from === 'env' ? variable : key).trim();
  if (named === '') return null;
  return from === 'env' ? { from, variable: named } : { from, key: named };
}
