import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import classes from './evaluate.module.css';

/** A line for the command line, whole, to be copied. */
export function CommandHint({ line }: { line: string }): ReactNode {
  return (
    <Code block className={classes.command} tabIndex={0} role="group" aria-label={tr('On the command line')}>
      {line}
    </Code>
  );
}
