import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StepView } from '../../../core/annotate/view.ts';
import { english, tr } from '../../language/tr.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { useActions } from '../context.ts';

/** Whether a drag moves something or changes its size. */
export function DragKind(props: { step: StepView; className: string | undefined; disabled?: boolean }): ReactNode {
  const actions = useActions();
  const { step, label } = props.step;
  return (
    <div className={props.className}>
      <SegmentedControl
        aria-label={tr('Movement or resizing')}
        value={label?.dragKind ?? ''}
        disabled={props.disabled ?? false}
        data={[
          { value: 'movement', label: tr('Movement') },
          { value: 'resizing', label: tr('Resizing') },
        ]}
        onChange={(value) =>
          actions.field(
            step.id,
            'dragKind',
            value === 'resizing' ? 'resizing' : 'movement',
            english('Set movement or resizing'),
          )
        }
      />
      <Kbd command="annotate.dragKind" />
    </div>
  );
}
