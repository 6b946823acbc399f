import { ActionIcon, Button, Group, Menu, NumberInput, Select, TextInput } from '@mantine/core';
import { IconFile, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { TaskSetup } from '../../../schemas/api/setup.ts';
import type { Check, CheckReport, Checks } from '../../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../../schemas/checks-plain.ts';
import { client } from '../../client/api.ts';
import { askerOf } from '../../client/queries.ts';
import { tr } from '../../language/tr.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ago, bytes } from '../../ui/format.ts';
import { MenuItems } from '../../ui/menu-items.tsx';
import { ErrorPanel } from '../../ui/parts.tsx';
import { CheckFields } from './check-fields.tsx';
import { CHECK_NAMES, type CheckKind, checkFault, kindForFile, newCheck } from './checks.ts';
import classes from './setup.module.css';

type Props = { ws: string; task: TaskInfo; setup: TaskSetup; onClose: () => void };

const NEW: Checks = {
  schema: 'trajectory-studio/checks',
  version: CHECKS_VERSION,
  combine: 'all',
  pass: 1,
  checks: [],
};
const COMBINE = [
  { value: 'all', label: tr('All of them must pass') },
  { value: 'any', label: tr('One of them is enough') },
  { value: 'weighted', label: tr('By their weights') },
];
const KINDS = Object.keys(CHECK_NAMES) as CheckKind[]; // It names every kind.

/** When the task counts as done: made from what is there, and tried on it at once. */
export function ChecksDialog(props: Props): ReactNode {
  return (
    <Dialog opened onClose={props.onClose} title={tr('Checks of {id}', { id: props.task.id })} size="xl">
      <ChecksForm {...props} />
    </Dialog>
  );
}

function ChecksForm({ ws, task, setup, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [checks, setChecks] = useState<Checks>(setup.checks ?? NEW);
  const [tried, setTried] = useState<CheckReport | null>(null);
  const list = checks.checks;
  const set = (change: Partial<Checks>): void => {
    setChecks((now) => ({ ...now, ...change }));
    setTried(null);
  };
  const taken = list.map(({ id }) => id);
  const add = (kind: CheckKind, path = ''): void => set({ checks: [...list, newCheck(kind, path, taken)] });
  const fault = list.length === 0 ? tr('Add a check.') : (list.map(checkFault).find((one) => one !== null) ?? null);
  const attempt = useMutation({
    mutationFn: () => client.setup.tryChecks({ ws, task: task.id, checks }),
    onSuccess: setTried,
  });
  const save = useMutation({
    mutationFn: () => client.setup.saveChecks({ ws, task: task.id, checks, ...askerOf(ws) }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'tasks', task.id] });
      onClose();
    },
  });
  return (
    <DialogForm
      onSubmit={() => save.mutate()}
      onClose={onClose}
      loading={save.isPending}
      disabled={fault !== null}
      gap="md"
      submit={tr('Store the checks')}
      between={
        <Button
          variant="default"
          disabled={fault !== null || setup.source === null}
          loading={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          {tr('Try')}
        </Button>
      }
    >
      {setup.checksError !== null && (
        <p className={classes.note}>
          {tr('The present ones cannot be read, so this begins anew. {problem}', {
            problem: setup.checksError,
          })}
        </p>
      )}
      <p className={classes.note}>{sourceWords(setup)}</p>
      {list.map((check, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its id is being written
        <fieldset key={n} className={classes.group}>
          <legend>
            {n + 1}. {CHECK_NAMES[check.kind]}
          </legend>
          <Group gap={8} align="flex-end" wrap="nowrap">
            <TextInput
              label={tr('Name')}
              value={check.id}
              style={{ flex: 1 }}
              onChange={(event) => set({ checks: list.with(n, { ...check, id: event.currentTarget.value }) })}
            />
            {checks.combine === 'weighted' && (
              <NumberInput
                label={tr('Weight')}
                w={90}
                min={0}
                hideControls
                value={check.weight}
                onChange={(weight) => set({ checks: list.with(n, { ...check, weight: Number(weight) || 1 }) })}
              />
            )}
            <ActionIcon
              aria-label={tr('Remove the check {id}', { id: check.id })}
              color="red"
              variant="subtle"
              mb={4}
              onClick={() => set({ checks: list.filter((_, at) => at !== n) })}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
          <CheckFields
            ws={ws}
            task={task}
            setup={setup}
            check={check}
            onChange={(changed: Check) => set({ checks: list.with(n, changed) })}
          />
          <Outcome check={check} report={tried} />
        </fieldset>
      ))}
      <Group gap={8}>
        {setup.written.length > 0 && (
          <AddMenu label={tr('From a file that was written')}>
            {setup.written.slice(0, 30).map(({ path, bytes: size }) => (
              <Menu.Item
                key={path}
                leftSection={<IconFile size={15} aria-hidden />}
                rightSection={<span className={classes.note}>{bytes(size)}</span>}
                onClick={() => add(kindForFile(path), path)}
              >
                {path}
              </Menu.Item>
            ))}
          </AddMenu>
        )}
        <AddMenu label={tr('Check')}>
          {KINDS.map((kind) => (
            <Menu.Item key={kind} onClick={() => add(kind)}>
              {CHECK_NAMES[kind]}
            </Menu.Item>
          ))}
        </AddMenu>
      </Group>
      {list.length > 1 && (
        <Select
          label={tr('Together')}
          w={260}
          data={COMBINE}
          value={checks.combine}
          allowDeselect={false}
          onChange={(value) => set({ combine: value === 'any' || value === 'weighted' ? value : 'all' })}
        />
      )}
      {attempt.error && <ErrorPanel error={attempt.error} what={tr('They could not be tried.')} compact />}
      {save.error && <ErrorPanel error={save.error} what={tr('They were not stored.')} compact />}
      <div aria-live="polite">
        {tried && (
          <p className={classes.outcome} data-good={tried.passed}>
            {tried.passed
              ? tr('Passed: score {score}.', { score: tried.score.toFixed(2) })
              : tr('Not passed: score {score}.', { score: tried.score.toFixed(2) })}{' '}
            {tried.weak !== null && <span className={classes.note}>{tried.weak}</span>}
          </p>
        )}
        {fault !== null && list.length > 0 && <p className={classes.note}>{fault}</p>}
      </div>
    </DialogForm>
  );
}

/** What came of a check that was tried. */
function Outcome({ check, report }: { check: Check; report: CheckReport | null }): ReactNode {
  const found = report?.checks.find(({ id }) => id === check.id);
  if (!found) return null;
  return (
    <p className={classes.outcome} data-good={found.score >= 1}>
      {found.score >= 1 ? '✓' : '✗'}{' '}
      {found.score > 0 && found.score < 1
        ? tr('{why}, score {score}', { why: found.why, score: found.score.toFixed(2) })
        : found.why}
    </p>
  );
}

function AddMenu({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <MenuItems mah={320} style={{ overflowY: 'auto' }}>
        {children}
      </MenuItems>
    </Menu>
  );
}

function sourceWords({ source, written }: TaskSetup): string {
  if (!source) return tr('There is nothing to try them on yet: record the task, and play the recording once.');
  if (source.kind === 'stage') return tr('Made from and tried on the stage that is set up for this task.');
  const when = source.at === null ? '' : ` (${ago(source.at, new Date())})`;
  if (source.kind === 'play') {
    return written.length === 0
      ? tr('Made from and tried on what the newest play left{when}. It wrote no file.', { when })
      : tr('Made from and tried on what the newest play left{when}.', { when });
  }
  return tr('Tried on the last screen of the newest recording{when}. Files are there once the recording was played.', {
    when,
  });
}
