import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../../language/tr.ts';

/** A list of texts, one after another. */
export function TextsField(props: { label: string; value: string[]; onChange: (value: string[]) => void }): ReactNode {
  return <TagsInput {...props} placeholder={tr('Write a text, then Enter')} splitChars={[]} acceptValueOnBlur />;
}
