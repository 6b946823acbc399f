import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../../language/tr.ts';

/** A number that may be left open. */
export function CountField(props: {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}): ReactNode {
  return (
    <NumberInput
      label={props.label}
      placeholder={tr('any')}
      min={1}
      hideControls
      value={props.value ?? ''}
      onChange={(value) => props.onChange(Number(value) > 0 ? Number(value) : undefined)}
    />
  );
}
