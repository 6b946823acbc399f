import { SegmentedControl, Select } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { removeSteps, restoreSteps } from '../../core/annotate/edit.ts';
import type { StepView } from '../../core/annotate/view.ts';
import { thoughtOf } from '../../core/review/compare.ts';
import type { RecordOf } from '../../schemas/annotation.ts';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { english, tr } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useActions, useTools } from '../workbench/context.ts';
import { DragKind } from '../workbench/form/drag-kind.tsx';
import { LineField, NameField, TextField, useNames } from '../workbench/form/fields.tsx';
import { SubtaskForm } from '../workbench/form/subtask-form.tsx';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import classes from './compare.module.css';
import { type ComparedSide, documentKind } from './sides.ts';
import type { ComparisonRow } from './store.ts';

type Props = { row: ComparisonRow; sides: readonly ComparedSide[]; writable: boolean };

/** The main document's values, in the fields of annotating, so that a third value is written where it is seen. */
export function Third({ row, sides, writable }: Props): ReactNode {
  const { kind, index } = row.difference;
  const step = useWork((state) => (index === null ? undefined : state.doc.steps[index]));
  const field =
    kind === 'subtask' || kind === 'title' || kind === 'goal' ? (
      <SubtaskForm />
    ) : step ? (
      <StepValue row={row} sides={sides} step={step} writable={writable} />
    ) : null;
  return (
    <section className={classes.third} aria-label={tr('Adjudicated value')}>
      <h3 className={classes.thirdTitle}>
        {tr('Adjudicated value')} {writable && <Kbd command="compare.third" />}
        {kind === 'subtask' && writable && (
          <span className={classes.quiet}>
            {tr('of the step that is shown: Page Up and Page Down go through subtasks')}
          </span>
        )}
      </h3>
      {field}
    </section>
  );
}

function StepValue({ row, sides, step, writable }: Props & { step: StepView }): ReactNode {
  switch (row.difference.kind) {
    case 'removal':
      return <Removal step={step} writable={writable} />;
    case 'element':
      return <Element step={step} sides={sides} />;
    case 'text':
      return <Typed step={step} />;
    case 'drag':
      return <Drag step={step} writable={writable} />;
    case 'box':
      return <BoxValue row={row} step={step} writable={writable} />;
    case 'keyframe':
      return <Keyframe row={row} step={step} writable={writable} />;
    case 'thought':
      return <ThoughtValue row={row} step={step} />;
    default:
      return <Narration step={step} />;
  }
}

function Element({ step, sides }: { step: StepView; sides: readonly ComparedSide[] }): ReactNode {
  const actions = useActions();
  const vocabulary = useWork((state) => state.vocabulary);
  const id = step.step.id;
  const said = useMemo(
    () => sides.map(({ view }) => view.steps.find((one) => one.step.id === id)?.label?.element),
    [sides, id],
  );
  const names = useNames(vocabulary, said);
  return (
    <NameField
      name="element"
      label={tr('Element')}
      command="annotate.element"
      identity={id}
      value={step.label?.element ?? ''}
      placeholder={tr('e.g. Insert tab')}
      limit={TEXT_LIMITS.name}
      names={names}
      store={(of, text) => actions.name(of, text)}
    />
  );
}

function Narration({ step }: { step: StepView }): ReactNode {
  const actions = useActions();
  return (
    <>
      <TextField
        name="narration"
        label={tr('Narration')}
        command="annotate.narration"
        identity={step.step.id}
        value={step.narration}
        limit={TEXT_LIMITS.text}
        rows={3}
        store={(of, text) => actions.narrate(of, text)}
      />
      {!step.overwritten && (
        <p className={classes.quiet}>{tr('As made from the fields; nothing was written over it.')}</p>
      )}
    </>
  );
}

function ThoughtValue({ row, step }: { row: ComparisonRow; step: StepView }): ReactNode {
  const actions = useActions();
  const part = thoughtOf(row.difference);
  return (
    <TextField
      name={part}
      label={documentKind(row.difference)}
      {...(part === 'thought' && { command: 'annotate.thoughts' })}
      identity={step.step.id}
      value={step.reasoning?.[part] ?? ''}
      limit={TEXT_LIMITS.text}
      rows={3}
      store={(of, text) => actions.reason(of, part, text)}
    />
  );
}

function Typed({ step }: { step: StepView }): ReactNode {
  const actions = useActions();
  const pressed = step.step.text ?? '';
  return (
    <>
      <p className={classes.quiet}>
        {tr('Typed')} <q>{pressed.slice(0, 400)}</q>
      </p>
      <LineField
        name="text"
        label={tr('Corrected text')}
        command="annotate.text"
        identity={step.step.id}
        value={step.label?.text ?? pressed}
        limit={TEXT_LIMITS.text}
        store={(of, text) => actions.field(of, 'text', text === pressed ? null : text, english('Correct text'))}
      />
    </>
  );
}

const DRAG_FIELDS = [
  ['startName', tr('Start position'), 'annotate.drag', TEXT_LIMITS.name, english('Name start position')],
  ['endName', tr('End position'), undefined, TEXT_LIMITS.name, english('Name end position')],
  ['purpose', tr('Purpose'), undefined, TEXT_LIMITS.text, english('Name purpose')],
] as const;

function Drag({ step, writable }: { step: StepView; writable: boolean }): ReactNode {
  const actions = useActions();
  const { id } = step.step;
  return (
    <>
      {DRAG_FIELDS.map(([name, label, command, limit, gesture]) => (
        <LineField
          key={name}
          name={name}
          label={label}
          {...(command !== undefined && { command })}
          identity={id}
          value={step.label?.[name] ?? ''}
          limit={limit}
          store={(of, text) => actions.field(of, name, text, gesture)}
        />
      ))}
      <DragKind step={step} className={classes.buttons} disabled={!writable} />
    </>
  );
}

function BoxValue({ row, step, writable }: { row: ComparisonRow; step: StepView; writable: boolean }): ReactNode {
  const { run } = useTools();
  const end = row.difference.id.endsWith(':end');
  const box = (end ? step.end : step.target)?.box;
  return (
    <>
      <p className={classes.value} data-testid="adjudicated-box">
        {box ? `${box.x}, ${box.y}, ${box.width} × ${box.height}` : <em>{tr('no box')}</em>}
      </p>
      {writable && (
        <>
          <p className={classes.quiet}>{tr('Drag on the picture, or:')}</p>
          <div className={classes.buttons}>
            {end ? (
              <KeyButton
                command="annotate.boxEnd"
                label={tr('Draw with keyboard')}
                onClick={() => run('annotate.boxEnd')}
              />
            ) : (
              <KeyButton command="annotate.box" label={tr('Draw with keyboard')} onClick={() => run('annotate.box')} />
            )}
            <KeyButton
              command="annotate.grow"
              label={tr('Auto-fit')}
              icon={<IconWand size={13} aria-hidden />}
              onClick={() => run('annotate.grow')}
            />
            {box && (
              <KeyButton command="annotate.removeBox" label={tr('Remove')} onClick={() => run('annotate.removeBox')} />
            )}
          </div>
        </>
      )}
    </>
  );
}

function Keyframe({ row, step, writable }: { row: ComparisonRow; step: StepView; writable: boolean }): ReactNode {
  const { run } = useTools();
  const frames = useWork((state) => state.opened.frames);
  const after = row.difference.id.endsWith(':after');
  const place = after ? step.after : step.before;
  const moved = place !== (after ? step.step.after : step.step.before);
  const [back, on] = after
    ? (['annotate.afterBack', 'annotate.afterForward'] as const)
    : (['annotate.beforeBack', 'annotate.beforeForward'] as const);
  return (
    <>
      <p className={classes.value}>
        {moved ? tr('frame {number}', { number: String(frames[place]?.[0] ?? '?') }) : tr('as chosen')}
      </p>
      {writable && (
        <div className={classes.buttons}>
          <KeyButton command={back} label={tr('One frame back')} onClick={() => run(back)} />
          <KeyButton command={on} label={tr('One frame on')} onClick={() => run(on)} />
        </div>
      )}
    </>
  );
}

const REASONS: readonly { value: RecordOf<'removal'>['reason']; label: string }[] = [
  { value: 'mistake', label: tr('a mistake') },
  { value: 'private', label: tr('private content') },
  { value: 'duplicate', label: tr('a duplicate') },
  { value: 'waiting', label: tr('waiting') },
  { value: 'other', label: tr('another reason') },
];

function Removal({ step, writable }: { step: StepView; writable: boolean }): ReactNode {
  const actions = useActions();
  const records = useWork((state) => state.sync.pending.view);
  const { id } = step.step;
  const reason = step.removal?.reason ?? 'mistake';
  const remove = (why: RecordOf<'removal'>['reason']): void =>
    void actions.gesture(english('Remove step'), () => removeSteps(records, [id], why, step.removal?.comment ?? ''));
  return (
    <div className={classes.buttons}>
      <SegmentedControl
        aria-label={tr('Removed or kept')}
        value={step.removal ? 'removed' : 'kept'}
        disabled={!writable}
        data={[
          { value: 'kept', label: tr('Kept') },
          { value: 'removed', label: tr('Removed') },
        ]}
        onChange={(value) => {
          if (value === 'removed') remove(reason);
          else actions.gesture(english('Restore'), () => restoreSteps(records, [id]));
        }}
      />
      <Kbd command="annotate.remove" />
      {step.removal && (
        <Select
          aria-label={tr('Reason')}
          w={150}
          data={REASONS}
          value={reason}
          disabled={!writable}
          allowDeselect={false}
          onChange={(value) => remove(REASONS.find((one) => one.value === value)?.value ?? 'other')}
        />
      )}
      {step.removal && step.removal.comment !== '' && (
        <p className={classes.quiet} title={step.removal.comment.slice(0, 2000)}>
          {tr('with a comment of {comment, plural, one {# letter} other {# letters}}', {
            comment: step.removal.comment.length,
          })}
        </p>
      )}
    </div>
  );
}

/** The field that a difference's third value is written in, by its name; null where the picture or a choice has it. */
export function fieldOf({ kind, id }: ComparisonRow['difference']): string | null {
  if (kind === 'thought') return thoughtOf({ id });
  const fields: Partial<Record<ComparisonRow['difference']['kind'], string>> = {
    element: 'element',
    narration: 'narration',
    text: 'text',
    drag: 'startName',
    title: 'title',
    goal: 'goal',
  };
  return fields[kind] ?? null;
}
