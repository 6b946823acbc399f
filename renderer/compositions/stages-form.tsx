import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { PLATFORM_NAMES } from '../../core/compositions/edit.ts';
import { changeStage, moveStage, removeStage, renameStage } from '../../core/compositions/edit-stages.ts';
import { stageNameOf } from '../../core/compositions/stages.ts';
import type { Composition } from '../../schemas/composition.ts';
import { STAGE_PLATFORM } from '../../schemas/composition-terms.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { NamedField, OfferedField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { stageOfLaw } from './law-words.ts';
import { Laws } from './laws.tsx';
import { Removable } from './removable.tsx';

/** So many names of a stage's tasks are shown. */
const MOST_NAMED = 12;

/** The stages of a composition, each with what is done on it. Without any all of it is done on one. */
export function StagesForm({ onAdd }: { onAdd: () => void }): ReactNode {
  const { composition, change, lawsOf } = useEditing();
  const { stages = [] } = composition;
  return (
    <FormPart
      id="edit-stages"
      title={tr('Stages')}
      command="compose.stage"
      label={tr('Add a stage')}
      isFull={stages.length >= COMPOSITION_LIMITS.stages}
      onAdd={onAdd}
    >
      {stages.length === 0 && (
        <p className={classes.fine}>
          {tr('All tasks are done on one stage. Where there are several, each has its own display, home and programs.')}
        </p>
      )}
      {stages.map(({ name, platform }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written
        <div key={n} className={classes.stack}>
          <Removable
            row="stage"
            label={tr('Remove the stage {name}', { name })}
            onRemove={() => change(removeStage(composition, name))}
            moving={{
              up: n > 0 ? () => change(moveStage(composition, name, -1)) : null,
              down: n < stages.length - 1 ? () => change(moveStage(composition, name, 1)) : null,
              label: tr('the stage {name}', { name }),
            }}
          >
            <div className={classes.row}>
              <NamedField
                label={tr('Name of the stage')}
                field={`stages.${n}.name`}
                value={name}
                rename={(to) => renameStage(composition, name, to)}
                maxLength={40}
                className={classes.short}
              />
              <OfferedField
                label={tr('Platform')}
                field={`stages.${n}.platform`}
                value={platform}
                names={PLATFORM_NAMES}
                maxLength={COMPOSITION_LIMITS.short}
                onWrite={(text) => changeStage(composition, name, { platform: text })}
                className={classes.short}
              />
              <p className={classes.aside}>{doneOn(composition, name)}</p>
            </div>
          </Removable>
          {platform !== STAGE_PLATFORM && platform !== '' && (
            <p className={classes.fine}>
              {tr('Stages are set up for {platform} alone: a run that needs this one is refused.', {
                platform: STAGE_PLATFORM,
              })}
            </p>
          )}
          <Laws laws={lawsOf(null).filter((law) => stageOfLaw(law) === name)} />
        </div>
      ))}
    </FormPart>
  );
}

/** The tasks and events of a stage. */
function doneOn(composition: Composition, stage: string): string {
  const all = [...composition.members, ...(composition.events ?? [])];
  const here = all.filter((one) => stageNameOf(composition, one) === stage).map(({ id }) => id);
  if (here.length === 0) return tr('nothing is done on it');
  const shown = here.slice(0, MOST_NAMED).join(', ');
  return tr('done on it: {tasks}', { tasks: here.length > MOST_NAMED ? `${shown} …` : shown });
}

/** The stage that a member or an event names; nothing in a composition that declares none. */
export function StageField(props: {
  stage: string | undefined;
  field: string;
  /** `undefined`: it names none. */
  set: (stage: string | undefined) => Composition;
}): ReactNode {
  const { stage, field, set } = props;
  const { composition, change, fault, isLocked } = useEditing();
  const { stages = [] } = composition;
  const names = stages.map(({ name }) => name);
  if (names.length === 0 && stage === undefined) return null;
  // One that is gone stays named, and a law tells it.
  const gone = stage !== undefined && !names.includes(stage) ? [stage] : [];
  const first = names[0];
  return (
    <Select
      label={tr('On the stage')}
      data={[
        {
          value: '',
          label: first === undefined ? tr('the only one') : tr('the first: {name}', { name: first }),
        },
        ...[...gone, ...names].map((name) => ({ value: name, label: name })),
      ]}
      value={stage ?? ''}
      error={fault(field)}
      allowDeselect={false}
      openOnFocus={false}
      readOnly={isLocked}
      onChange={(name) => change(set(name || undefined))}
      className={classes.short}
    />
  );
}
