import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { levelWanted } from '../../core/compositions/levels.ts';
import type { Composition } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { ListField, WrittenField } from './fields.tsx';
import { GivenForm } from './given-form.tsx';
import { givenOfLaw, stageOfLaw } from './law-words.ts';
import { Laws } from './laws.tsx';
import { StagesForm } from './stages-form.tsx';

/** The fields of the composition itself, and of all that is known before its first task. */
export function WholeForm({ onGiven, onStage }: { onGiven: () => void; onStage: () => void }): ReactNode {
  const { composition, change, lawsOf, isLocked } = useEditing();
  const { kind, title, task, level, context } = composition;
  const set = (part: Partial<Composition>): Composition => ({ ...composition, ...part });
  const about = (part: Partial<Composition['context']>): Composition => set({ context: { ...context, ...part } });
  const wanted = levelWanted(composition);
  return (
    <>
      <Laws laws={lawsOf(null).filter((law) => givenOfLaw(law) === null && stageOfLaw(law) === null)} />
      <div className={classes.row}>
        <WrittenField
          label={tr('Title')}
          field="title"
          value={title}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(text) => set({ title: text })}
          className={classes.wide}
        />
        <Select
          label={tr('Kind')}
          data={[
            { value: 'pathway', label: tr('Pathway') },
            { value: 'scenario', label: tr('Scenario') },
          ]}
          value={kind}
          allowDeselect={false}
          readOnly={isLocked}
          onChange={(value) => change(set({ kind: value === 'pathway' ? 'pathway' : 'scenario' }))}
          className={classes.short}
        />
        {kind === 'pathway' && (
          <Select
            label={tr('Level')}
            data={[
              {
                value: '',
                label:
                  wanted.level !== null
                    ? tr('by its tasks: {level, number}', { level: wanted.level })
                    : tr('by its tasks: none'),
              },
              ...['1', '2', '3'],
            ]}
            value={level === undefined ? '' : String(level)}
            allowDeselect={false}
            readOnly={isLocked}
            onChange={(value) => change(set({ level: value ? Number(value) : undefined }))}
            className={classes.short}
          />
        )}
      </div>
      <WrittenField
        label={tr('The whole task, as somebody hears it who does not know its parts')}
        field="task"
        value={task ?? ''}
        maxLength={COMPOSITION_LIMITS.text}
        lines={2}
        onWrite={(text) => set({ task: text || undefined })}
      />
      {kind === 'scenario' && (
        <>
          <WrittenField
            label={tr('The person whose day it is')}
            field="context.persona"
            value={context.persona ?? ''}
            maxLength={COMPOSITION_LIMITS.text}
            lines={2}
            onWrite={(text) => about({ persona: text || undefined })}
          />
          <div className={classes.row}>
            <ListField
              label={tr('Preferences, one a line')}
              field="context.preferences"
              value={context.preferences}
              onWrite={(preferences) => about({ preferences })}
              className={classes.wide}
            />
            <WrittenField
              label={tr('First day')}
              field="context.begins"
              placeholder="2026-11-30"
              value={context.begins ?? ''}
              maxLength={10}
              onWrite={(text) => about({ begins: text || undefined })}
              className={classes.short}
            />
          </div>
        </>
      )}
      <GivenForm onAdd={onGiven} />
      <StagesForm onAdd={onStage} />
    </>
  );
}
