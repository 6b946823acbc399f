import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { TaskSetup } from '../../../schemas/api/setup.ts';
import type { WholeTask } from '../../../schemas/api/task-state.ts';
import { WHOLE_TASK_PARTS } from '../../../schemas/whole-task.ts';
import { client } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import { CommandButton } from '../../ui/keys/command-button.tsx';
import { QueryError } from '../../ui/parts.tsx';
import { WithCommands } from '../../ui/with-commands.tsx';
import page from '../page.module.css';
import { ChecksDialog } from './checks-dialog.tsx';
import { RecipeDialog } from './recipe-dialog.tsx';
import classes from './setup.module.css';

export type SetupDialog = 'recipe' | 'checks' | null;

/** How the task is set up to be played, and when it counts as done. */
export function PlayingSetup(props: {
  ws: string;
  task: TaskInfo;
  opened: SetupDialog;
  onOpen: (dialog: SetupDialog) => void;
}): ReactNode {
  const { ws, task, opened, onOpen } = props;
  const setup = useQuery({
    queryKey: ['of', ws, 'tasks', task.id, 'setup'],
    queryFn: ({ signal }) => client.setup.get({ ws, task: task.id }, { signal }),
  });
  const close = (): void => onOpen(null);
  return (
    <section aria-labelledby="setup-title">
      <h2 id="setup-title" className={page.sectionTitle} style={{ marginBottom: 8 }}>
        {tr('Playing')}
      </h2>
      <QueryError of={setup} compact />
      <Part
        name={tr('Recipe')}
        about={setup.data ? recipeWords(setup.data) : '…'}
        command="task.recipe"
        onEdit={() => onOpen('recipe')}
      />
      <Part
        name={tr('Checks')}
        about={setup.data ? checksWords(setup.data) : '…'}
        command="task.checks"
        onEdit={() => onOpen('checks')}
      />
      {setup.data && <WholeTaskList whole={setup.data.whole} />}
      {setup.data && opened === 'recipe' && <RecipeDialog ws={ws} task={task} setup={setup.data} onClose={close} />}
      {setup.data && opened === 'checks' && <ChecksDialog ws={ws} task={task} setup={setup.data} onClose={close} />}
    </section>
  );
}

/** Complete, sound and proven, each with the sentences of what is missing. */
function WholeTaskList({ whole }: { whole: WholeTask }): ReactNode {
  const names = { complete: tr('Complete'), sound: tr('Sound'), proven: tr('Proven') };
  const about = {
    complete: tr('All that it needs is there.'),
    sound: tr('Nothing is wrong with what is there.'),
    proven: tr('It plays again, and its checks pass only when it was done.'),
  };
  return (
    <dl className={classes.whole} aria-label={tr('State of the task')}>
      {WHOLE_TASK_PARTS.map((part) => {
        const { holds, missing } = whole[part];
        const Icon = holds ? IconCircleCheckFilled : IconCircleDashed;
        return (
          <div key={part} data-good={holds}>
            <dt>
              <Icon size={16} aria-hidden />
              {names[part]}
              <span className={classes.wholeState}>
                {holds
                  ? tr('Yes')
                  : tr('{missing, plural, one {# thing} other {# things}} missing', { missing: missing.length })}
              </span>
            </dt>
            {holds ? (
              <dd>{about[part]}</dd>
            ) : (
              missing.map(({ rule, why }) => (
                <dd key={`${rule} ${why}`}>
                  <WithCommands text={why} />
                </dd>
              ))
            )}
          </div>
        );
      })}
    </dl>
  );
}

function Part(props: { name: string; about: string; command: string; onEdit: () => void }): ReactNode {
  return (
    <div className={page.role}>
      <div className={page.roleHead}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <h3 className={page.roleName}>{props.name}</h3>
          <p className={page.roleAbout}>{props.about}</p>
        </div>
        <CommandButton
          variant="default"
          size="compact-sm"
          aria-label={tr('Edit: {name}', { name: props.name })}
          command={props.command}
          onClick={props.onEdit}
        >
          {tr('Edit')}
        </CommandButton>
      </div>
    </div>
  );
}

function recipeWords({ recipe, recipeError }: TaskSetup): string {
  if (recipeError !== null) return recipeError;
  if (!recipe) return tr('Not written: what must be open when the task begins');
  const programs = recipe.programs.map(({ command }) => command).join(', ') || tr('no program');
  return `${programs}, ${tr('{files, plural, one {# file} other {# files}}', { files: recipe.files.length })}`;
}

function checksWords({ checks, checksError }: TaskSetup): string {
  if (checksError !== null) return checksError;
  if (!checks) return tr('None yet: when the task counts as done');
  return `${tr('{checks, plural, one {# check} other {# checks}}', { checks: checks.checks.length })}: ${checks.checks.map(({ id }) => id).join(', ')}`;
}
