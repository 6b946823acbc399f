import { Button, Group, NumberInput, Switch } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { TaskSetup } from '../../../schemas/api/setup.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { RECIPE_VERSION } from '../../../schemas/recipe-version.ts';
import { client } from '../../client/api.ts';
import { askerOf } from '../../client/queries.ts';
import { tr } from '../../language/tr.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ErrorPanel } from '../../ui/parts.tsx';
import { FileFields } from './file-fields.tsx';
import { ProgramFields, type RecipeProgram } from './program-fields.tsx';
import classes from './setup.module.css';
import { useRecipeTrial } from './try-recipe.tsx';

type Props = { ws: string; task: TaskInfo; setup: TaskSetup; onClose: () => void };
type PutFile = Recipe['files'][number];

const NEW: Recipe = {
  schema: 'trajectory-studio/recipe',
  version: RECIPE_VERSION,
  files: [],
  programs: [],
  services: [],
  network: false,
};
/** The screen of a stage where neither the recipe nor a demonstration says one. */
const SCREEN = { width: 1280, height: 800 };
/** Files of the task that belong into its home; the others describe the task. */
const PUT_ROLES = new Set(['material', 'project']);

/** What must be open when the task begins: the files, the programs, their windows. */
export function RecipeDialog(props: Props): ReactNode {
  return (
    <Dialog opened onClose={props.onClose} title={tr('Recipe of {id}', { id: props.task.id })} size="xl">
      <RecipeForm {...props} />
    </Dialog>
  );
}

function RecipeForm({ ws, task, setup, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [recipe, setRecipe] = useState<Recipe>(
    setup.recipe ? { ...setup.recipe, version: RECIPE_VERSION } : begun(task),
  );
  const set = (change: Partial<Recipe>): void => setRecipe((now) => ({ ...now, ...change }));
  const save = useMutation({
    mutationFn: () => client.setup.saveRecipe({ ws, task: task.id, recipe, ...askerOf(ws) }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'tasks', task.id] });
      onClose();
    },
  });
  const trial = useRecipeTrial(ws, task.id, recipe);
  const names = [...new Set(task.attachments.map(({ name }) => name))];
  const program = (n: number, change: Partial<RecipeProgram>): void =>
    set({ programs: recipe.programs.map((one, at) => (at === n ? { ...one, ...change } : one)) });
  const file = (n: number, changed: PutFile): void =>
    set({ files: recipe.files.map((one, at) => (at === n ? changed : one)) });
  return (
    <DialogForm
      onSubmit={() => save.mutate()}
      onClose={onClose}
      loading={save.isPending}
      gap="md"
      submit={tr('Store the recipe')}
      outcome={
        (trial.shown || save.error) && (
          <>
            {trial.shown}
            {save.error && <ErrorPanel error={save.error} what={tr('It was not stored.')} compact />}
          </>
        )
      }
      between={
        <Button
          variant="default"
          leftSection={
            trial.isRunning ? <IconPlayerStop size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />
          }
          title={tr('Set a stage up so, and show its screen; nothing is stored')}
          onClick={trial.isRunning ? trial.stop : trial.start}
        >
          {trial.isRunning ? tr('Stop') : tr('Try it')}
        </Button>
      }
    >
      {setup.recipeError !== null && (
        <p className={classes.note}>
          {tr('The present one cannot be read, so this begins anew. {problem}', {
            problem: setup.recipeError,
          })}
        </p>
      )}
      <fieldset className={classes.group}>
        <legend>{tr('Files, put into the home first')}</legend>
        {recipe.files.map((one, n) => (
          <FileFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else by which it is known
            key={n}
            put={one}
            names={names}
            number={n + 1}
            onChange={(changed) => file(n, changed)}
            onRemove={() => set({ files: recipe.files.filter((_, at) => at !== n) })}
          />
        ))}
        <Group gap={8}>
          <Add
            label={tr('File of the task')}
            disabled={names.length === 0}
            onAdd={() => set({ files: [...recipe.files, { attachment: names[0] ?? '', to: names[0] ?? '' }] })}
          />
          <Add label={tr('Text')} onAdd={() => set({ files: [...recipe.files, { text: '', to: '' }] })} />
          <Add label={tr('Empty folder')} onAdd={() => set({ files: [...recipe.files, { folder: true, to: '' }] })} />
        </Group>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{tr('Programs, started in this order')}</legend>
        {recipe.programs.map((one, n) => (
          <ProgramFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else by which it is known
            key={n}
            program={one}
            number={n + 1}
            screen={recipe.screen ?? SCREEN}
            onChange={(change) => program(n, change)}
            onRemove={() => set({ programs: recipe.programs.filter((_, at) => at !== n) })}
          />
        ))}
        <Add
          label={tr('Program')}
          onAdd={() => set({ programs: [...recipe.programs, { command: '', args: [], env: {} }] })}
        />
      </fieldset>
      <Group gap={16} align="flex-end">
        <NumberInput
          label={tr('Screen width')}
          placeholder={tr('as recorded')}
          min={320}
          max={7680}
          w={160}
          hideControls
          value={recipe.screen?.width ?? ''}
          onChange={(width) => set({ screen: screenOf(Number(width), recipe.screen?.height ?? 800) })}
        />
        <NumberInput
          label={tr('Screen height')}
          placeholder={tr('as recorded')}
          min={200}
          max={4320}
          w={160}
          hideControls
          value={recipe.screen?.height ?? ''}
          onChange={(height) => set({ screen: screenOf(recipe.screen?.width ?? 1280, Number(height)) })}
        />
        <Switch
          label={tr('Programs may use the network')}
          checked={recipe.network}
          onChange={(event) => set({ network: event.currentTarget.checked })}
        />
      </Group>
    </DialogForm>
  );
}

/** A recipe that knows the task's files and nothing else yet. */
function begun(task: TaskInfo): Recipe {
  const files = task.attachments.filter(({ role }) => PUT_ROLES.has(role));
  return {
    ...NEW,
    files: [...new Set(files.map(({ name }) => name))].map((name) => ({ attachment: name, to: name })),
    programs: [{ command: '', args: [], env: {} }],
  };
}

const screenOf = (width: number, height: number): Recipe['screen'] =>
  width > 0 && height > 0 ? { width, height } : undefined;

function Add(props: { label: string; disabled?: boolean; onAdd: () => void }): ReactNode {
  return (
    <Button
      variant="default"
      size="compact-sm"
      style={{ alignSelf: 'flex-start' }}
      disabled={props.disabled ?? false}
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={props.onAdd}
    >
      {props.label}
    </Button>
  );
}
