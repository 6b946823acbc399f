import { ActionIcon, Autocomplete, type ComboboxItem, Group, NumberInput, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Recipe } from '../../../schemas/play.ts';
import { client } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import classes from './setup.module.css';

export type RecipeProgram = Recipe['programs'][number];
type Place = NonNullable<RecipeProgram['place']>;

/** What is offered at once; typing finds the others. */
const MOST_OFFERED = 60;
const SIDES = [
  { side: 'x', label: tr('Left'), least: -10_000 },
  { side: 'y', label: tr('Top'), least: -10_000 },
  { side: 'width', label: tr('Width'), least: 1 },
  { side: 'height', label: tr('Height'), least: 1 },
] as const satisfies readonly { side: keyof Place; label: string; least: number }[];

/** A program of a recipe: what is started, the window that is waited for, and where that is put. */
export function ProgramFields(props: {
  program: RecipeProgram;
  /** From 1. */
  number: number;
  /** Of the stage, px. */
  screen: { width: number; height: number };
  onChange: (change: Partial<RecipeProgram>) => void;
  onRemove: () => void;
}): ReactNode {
  const { program, number, screen, onChange, onRemove } = props;
  const { place } = program;
  const put = (change: Partial<Place>): void =>
    onChange({ place: { x: 0, y: 0, width: screen.width, height: screen.height, ...place, ...change } });
  return (
    <div className={classes.program}>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <ProgramName value={program.command} onChange={(command) => onChange({ command })} />
        <Textarea
          label={tr('Arguments, one a line')}
          placeholder={tr('~/landscape.png')}
          autosize
          minRows={1}
          maxRows={5}
          value={program.args.join('\n')}
          style={{ flex: 1 }}
          onChange={(event) => onChange({ args: linesOf(event.currentTarget.value) })}
        />
        <RemoveLine what={tr('program {number}', { number })} onRemove={onRemove} />
      </Group>
      <Group gap={8} align="flex-end">
        <TextInput
          label={tr('Wait for the window whose title has')}
          placeholder={'landscape'}
          value={program.window ?? ''}
          style={{ flex: 1, minWidth: 180 }}
          onChange={(event) => {
            const window = event.currentTarget.value || undefined;
            // Without a window there is nothing to put there.
            onChange({ window, ...(window === undefined && { place: undefined }) });
          }}
        />
        <fieldset className={classes.place}>
          <legend className="visually-hidden">{tr('Place of the window of program {number}, px', { number })}</legend>
          {SIDES.map(({ side, label, least }) => (
            <NumberInput
              key={side}
              label={label}
              placeholder={tr('any')}
              w={76}
              hideControls
              allowDecimal={false}
              min={least}
              max={10_000}
              disabled={program.window === undefined}
              value={place?.[side] ?? ''}
              onChange={(value) => (value === '' ? onChange({ place: undefined }) : put({ [side]: Number(value) }))}
            />
          ))}
        </fieldset>
      </Group>
    </div>
  );
}

/** The programs that the machine has are offered by their names; another is typed as PATH has it. */
function ProgramName({ value, onChange }: { value: string; onChange: (command: string) => void }): ReactNode {
  const installed = useQuery({
    queryKey: ['programs'],
    queryFn: ({ signal }) => client.setup.programs({}, { signal }),
    staleTime: 60_000,
  });
  const programs = installed.data ?? [];
  const names = new Map(programs.map(({ command, name }) => [command, name]));
  return (
    <Autocomplete
      label={tr('Program')}
      placeholder={'gimp'}
      value={value}
      style={{ flex: 1 }}
      limit={MOST_OFFERED}
      data={programs.map(({ command }) => command)}
      description={names.get(value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      filter={({ options, search, limit }) =>
        options
          .filter(
            (one): one is ComboboxItem => 'value' in one && isMeant(one.value, names.get(one.value) ?? '', search),
          )
          .slice(0, limit)
      }
      renderOption={({ option }) => (
        <span className={classes.option}>
          {names.get(option.value) ?? option.value} <span className={classes.command}>{option.value}</span>
        </span>
      )}
      onChange={onChange}
    />
  );
}

/** Every word of the search is in the name or the command; what is chosen already hides no other. */
function isMeant(command: string, name: string, search: string): boolean {
  const said = `${command} ${name}`.toLowerCase();
  return search
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

export function RemoveLine({ what, onRemove }: { what: string; onRemove: () => void }): ReactNode {
  return (
    <ActionIcon aria-label={tr('Remove {what}', { what })} color="red" variant="subtle" mt={24} onClick={onRemove}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
