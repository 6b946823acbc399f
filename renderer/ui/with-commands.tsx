import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { commandWords } from './command-words.ts';

/** The studio's own words, with the command lines in them shown as such. */
export function WithCommands({ text }: { text: string }): ReactNode {
  return commandWords(text).map(({ text: part, isCommand }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which has no other names for them
    isCommand ? <Code key={at}>{part}</Code> : part,
  );
}
