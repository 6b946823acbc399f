import { Button, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { withoutEdge } from '../../core/compositions/edit.ts';
import { truthOf } from '../../core/compositions/slots.ts';
import type { Composition, Edge, Member } from '../../schemas/composition.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { FormPart } from './form-part.tsx';

/** An edge in words. */
export function edgeWords(edge: Edge, composition: Composition): string {
  if (edge.kind === 'hard') return tr('only after {task} succeeded', { task: edge.from });
  if (edge.kind === 'time') return tr('begins after {task}', { task: edge.from });
  const value = truthOf(composition)({ of: edge.from, output: edge.output });
  const name = `${edge.from}.${edge.output}`;
  return value === null || value === ''
    ? tr('takes {value}', { value: name })
    : tr('takes {name} = {value}', { name, value: value.slice(0, 80) });
}

/** The edges into and out of a member. */
export function Joins({ member, onJoin }: { member: Member; onJoin: () => void }): ReactNode {
  const { composition, change, isLocked } = useEditing();
  const into = composition.edges.filter(({ to }) => to === member.id);
  const out = composition.edges.filter(({ from }) => from === member.id);
  return (
    <FormPart
      id="edit-joins"
      title={tr('Joined by')}
      command="compose.join"
      label={tr('Join it to another task')}
      onAdd={onJoin}
    >
      {into.length === 0 && out.length === 0 && <p className={classes.fine}>{tr('Nothing: it stands by itself.')}</p>}
      <ul className={classes.joins}>
        {into.map((edge) => {
          const words = edgeWords(edge, composition);
          return (
            <li key={`${edge.kind} ${edge.from} ${edge.kind === 'data' ? edge.output : ''}`}>
              <span>{words}</span>
              {edge.kind === 'time' && <Minutes edge={edge} />}
              <Button
                variant="subtle"
                color="red"
                size="compact-xs"
                disabled={isLocked}
                onClick={() => change(withoutEdge(composition, edge))}
                aria-label={tr('Remove: {what}', { what: words })}
              >
                {tr('Remove')}
              </Button>
            </li>
          );
        })}
        {out.map((edge) => (
          <li key={`out ${edge.kind} ${edge.to} ${edge.kind === 'data' ? edge.output : ''}`} className={classes.fine}>
            {edge.kind === 'data'
              ? tr('gives {name} to {task}', { name: edge.output, task: edge.to })
              : tr('comes before {task}', { task: edge.to })}
          </li>
        ))}
      </ul>
    </FormPart>
  );
}

/** How many minutes later it begins, at least and at most. */
function Minutes({ edge }: { edge: Edge & { kind: 'time' } }): ReactNode {
  const { composition, change, isLocked } = useEditing();
  const set = (part: { atLeast: number; atMost?: number | undefined }): void =>
    change(
      { ...composition, edges: composition.edges.map((one) => (one === edge ? { ...edge, ...part } : one)) },
      { field: `edge.${edge.from}.${edge.to}`, text: '' },
    );
  const minutes = (value: string | number): number => Math.max(0, Math.min(600_000, Math.trunc(Number(value)) || 0));
  return (
    <>
      <NumberInput
        aria-label={tr('At least so many minutes after {task}', { task: edge.from })}
        size="xs"
        w={84}
        min={0}
        hideControls
        readOnly={isLocked}
        prefix="≥ "
        suffix=" min"
        value={edge.atLeast}
        onChange={(value) => set({ atLeast: minutes(value), atMost: edge.atMost })}
      />
      <NumberInput
        aria-label={tr('At most so many minutes after {task}', { task: edge.from })}
        size="xs"
        w={84}
        min={0}
        hideControls
        readOnly={isLocked}
        prefix="≤ "
        suffix=" min"
        value={edge.atMost ?? ''}
        onChange={(value) => set({ atLeast: edge.atLeast, atMost: value === '' ? undefined : minutes(value) })}
      />
    </>
  );
}
