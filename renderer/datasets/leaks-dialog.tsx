import type { ReactNode } from 'react';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Leaks } from './leaks.tsx';

/** Whether splits are apart, for the rows shown. */
export function LeaksDialog(props: {
  ws: string;
  opened: boolean;
  filter: DatasetFilter;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Leakage between splits')} size="lg">
      <Leaks ws={props.ws} filter={props.filter} />
    </Dialog>
  );
}
