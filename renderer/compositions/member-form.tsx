import { Select } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { asksAt } from '../../core/compositions/asks.ts';
import { changeMember, renameMember } from '../../core/compositions/edit.ts';
import { slotKey, slotsIn, truthOf } from '../../core/compositions/slots.ts';
import type { Composition, Member } from '../../schemas/composition.ts';
import { INSTRUCTION_LEVELS, type InstructionLevel } from '../../schemas/instruction-levels.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { ListField, NamedField, WrittenField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { Joins } from './joins.tsx';
import { Laws } from './laws.tsx';
import { OutputsForm } from './outputs-form.tsx';
import { Removable } from './removable.tsx';
import { StageField } from './stages-form.tsx';
import { TakesForm } from './takes-form.tsx';

/** The text that slots are put into: the instruction that was written in last, and where in it. */
export type SlotPlace = { level: InstructionLevel; at: number };

type Props = {
  member: Member;
  /** Its place among the members, from 0. */
  at: number;
  tasks: readonly string[];
  onPlace: (place: () => SlotPlace) => void;
  onSlot: () => void;
  onJoin: () => void;
  onOutput: () => void;
  onPlatform: () => void;
  onTake: () => void;
};

/** All of one member. */
export function MemberForm(props: Props): ReactNode {
  const { member, at, tasks, onPlace, onSlot, onJoin } = props;
  const { composition, change, lawsOf, isLocked } = useEditing();
  const field = (name: string): string => `members.${at}.${name}`;
  const set = (part: Partial<Member>): Composition => changeMember(composition, member.id, part);
  const isDay = composition.kind === 'scenario';
  return (
    <>
      <Laws laws={lawsOf(member.id)} />
      <div className={classes.row} data-row="name">
        <NamedField
          label={tr('Name')}
          field={field('id')}
          value={member.id}
          rename={(name) => renameMember(composition, member.id, name)}
          maxLength={40}
          className={classes.short}
        />
        <Select
          label={tr('Task of the library')}
          placeholder={tr('None yet')}
          data={member.task !== null && !tasks.includes(member.task) ? [member.task, ...tasks] : [...tasks]}
          value={member.task}
          searchable
          clearable
          limit={60}
          openOnFocus={false}
          readOnly={isLocked}
          onChange={(task) => change(set({ task }))}
          clearButtonProps={{ 'aria-label': tr('No task of the library') }}
          className={classes.short}
        />
        <StageField stage={member.stage} field={field('stage')} set={(stage) => set({ stage })} />
        {isDay && <When member={member} field={field} set={set} />}
      </div>
      {isDay && (
        <WrittenField
          label={tr('What happens')}
          field={field('narration')}
          value={member.narration ?? ''}
          maxLength={COMPOSITION_LIMITS.text}
          lines={1}
          onWrite={(text) => set({ narration: text || undefined })}
        />
      )}
      <Instructions member={member} field={field} set={set} onPlace={onPlace} onSlot={onSlot} />
      <OutputsForm member={member} field={field} set={set} onAdd={props.onOutput} />
      <TakesForm member={member} field={field} set={set} onAdd={props.onTake} />
      <Joins member={member} onJoin={onJoin} />
      <Apps member={member} field={field} set={set} onPlatform={props.onPlatform} />
      <div className={classes.row}>
        <ListField
          label={tr('Way to the truth, a step a line')}
          field={field('way')}
          value={member.way}
          onWrite={(way) => set({ way })}
          className={classes.wide}
        />
        <WrittenField
          label={tr('Recording of it')}
          field={field('recording')}
          value={member.recording ?? ''}
          maxLength={100}
          onWrite={(text) => set({ recording: text || undefined })}
          className={classes.short}
        />
      </div>
    </>
  );
}

type PartProps = { member: Member; field: (name: string) => string; set: (part: Partial<Member>) => Composition };

/** When it may begin, and where it is. */
function When({ member, field, set }: PartProps): ReactNode {
  const window = member.window ?? { day: 1, from: '' };
  const write = (part: Partial<typeof window>): Composition => {
    const { day, from, to } = { ...window, ...part };
    const isEmpty = day === 1 && from === '' && !to;
    return set({ window: isEmpty ? undefined : { day, from, ...(to && { to }) } });
  };
  return (
    <>
      <WrittenField
        label={tr('From')}
        field={field('window.from')}
        placeholder="08:50"
        maxLength={5}
        value={window.from}
        onWrite={(from) => write({ from })}
        className={classes.time}
      />
      <WrittenField
        label={tr('Until')}
        field={field('window.to')}
        placeholder="09:10"
        maxLength={5}
        value={window.to ?? ''}
        onWrite={(to) => write({ to })}
        className={classes.time}
      />
      <WrittenField
        label={tr('Day')}
        field={field('window.day')}
        maxLength={3}
        value={String(window.day)}
        onWrite={(text) => write({ day: Number(text.replaceAll(/\D/g, '')) || 1 })}
        className={classes.time}
      />
      <WrittenField
        label={tr('Place')}
        field={field('place')}
        maxLength={COMPOSITION_LIMITS.short}
        value={member.place ?? ''}
        onWrite={(text) => set({ place: text || undefined })}
        className={classes.short}
      />
    </>
  );
}

/** The levels of what is asked for, side by side. */
function Instructions(props: PartProps & Pick<Props, 'onPlace' | 'onSlot'>): ReactNode {
  const { member, field, set, onPlace, onSlot } = props;
  const { composition } = useEditing();
  const levels =
    composition.kind === 'scenario'
      ? INSTRUCTION_LEVELS
      : INSTRUCTION_LEVELS.filter((level) => level === 'base' || member.instructions[level] !== undefined);
  return (
    <FormPart
      id="edit-instructions"
      title={composition.kind === 'scenario' ? tr('What is asked for, in levels') : tr('Question')}
      command="compose.slot"
      label={tr('Put in an earlier answer')}
      onAdd={onSlot}
    >
      <div className={classes.levels}>
        {levels.map((level) => (
          <Level key={level} level={level} member={member} field={field} set={set} onPlace={onPlace} />
        ))}
      </div>
    </FormPart>
  );
}

function Level(props: PartProps & Pick<Props, 'onPlace'> & { level: InstructionLevel }): ReactNode {
  const { level, member, field, set, onPlace } = props;
  const { composition, lawsOf } = useEditing();
  const text = member.instructions[level] ?? '';
  const truth = truthOf(composition);
  const slots = [...new Map(slotsIn(text).map((slot) => [slotKey(slot), truth(slot)]))];
  const asks = level === 'L1' || level === 'L2' ? (text === '' ? [] : asksAt(composition, member, level)) : [];
  const place = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  return (
    <div>
      <WrittenField
        label={levelWords(level, composition.kind)}
        field={field(`instructions.${level}`)}
        value={text}
        maxLength={COMPOSITION_LIMITS.text}
        lines={3}
        inputRef={place}
        level={level}
        onFocus={() => onPlace(() => ({ level, at: place.current?.selectionStart ?? text.length }))}
        onWrite={(words) => {
          const { [level]: _old, ...others } = member.instructions;
          const instructions =
            level === 'base' ? { ...others, base: words } : { ...others, ...(words && { [level]: words }) };
          return set({ instructions: { ...instructions, base: level === 'base' ? words : member.instructions.base } });
        }}
      />
      {slots.length > 0 && (
        <p className={classes.slots}>
          {slots.map(([key, value]) => (
            <span key={key} className={classes.slot} data-empty={value === null || undefined}>
              <span className={classes.slotName}>{key}</span> {value ?? tr('nothing gives it')}
            </span>
          ))}
        </p>
      )}
      {asks.length > 0 && <p className={classes.fine}>{tr('may be asked: {values}', { values: asks.join(', ') })}</p>}
      <Laws laws={lawsOf(member.id, level)} />
    </div>
  );
}

function levelWords(level: InstructionLevel, kind: Composition['kind']): string {
  if (level === 'base') return kind === 'pathway' ? tr('What is asked') : tr('base: as it is said first');
  if (level === 'L0') return tr('L0: says everything');
  return level === 'L1' ? tr('L1: leaves values out') : tr('L2: says only what is wished');
}

/** The applications of a member, by platform. */
function Apps({ member, field, set, onPlatform }: PartProps & Pick<Props, 'onPlatform'>): ReactNode {
  const { change } = useEditing();
  const rows = Object.entries(member.apps);
  const write = (next: [string, string[]][]): Composition => set({ apps: Object.fromEntries(next) });
  return (
    <FormPart
      id="edit-apps"
      title={tr('Applications by platform')}
      command="compose.platform"
      label={tr('Add a platform')}
      onAdd={onPlatform}
    >
      {rows.map(([platform, apps], n) => (
        <Removable
          // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written
          key={n}
          row="platform"
          label={tr('Remove the platform {platform}', { platform })}
          onRemove={() => change(write(rows.filter((_, row) => row !== n)))}
        >
          <div className={classes.row}>
            <WrittenField
              label={tr('Platform')}
              field={field(`apps.${platform}`)}
              value={platform}
              maxLength={COMPOSITION_LIMITS.short}
              onWrite={(name) =>
                name !== platform && name in member.apps ? write(rows) : write(rows.with(n, [name, apps]))
              }
              className={classes.short}
            />
            <ListField
              label={tr('Applications, with commas between them')}
              field={field(`apps.${platform}.names`)}
              split="commas"
              value={apps}
              onWrite={(list) => write(rows.with(n, [platform, list]))}
              className={classes.wide}
            />
          </div>
        </Removable>
      ))}
    </FormPart>
  );
}
