import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Preflight } from '../../schemas/api/models.ts';
import { PERMISSIONS } from '../../schemas/desktop.ts';
import { desktop } from '../desktop/bridge.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ErrorPanel, ProgressWithStop } from '../ui/parts.tsx';
import { WithCommands } from '../ui/with-commands.tsx';
import classes from './page.module.css';

const ICONS = { ok: IconCircleCheck, warn: IconAlertTriangle, fail: IconCircleX } as const;
const WORDS = { ok: tr('Good:'), warn: tr('Take care:'), fail: tr('Missing:') } as const;
const SUMS = {
  ok: tr('Ready to record.'),
  warn: tr('Recording works; look at the yellow lines first.'),
  fail: tr('Recording cannot start until the red lines are put right.'),
} as const;
const ORDER = { fail: 0, warn: 1, ok: 2 } as const;

/** The machine checked for recording: one line when all is well; else the worst problem first, each with what to do. */
export function PreflightList(props: {
  preflight: Preflight | undefined;
  error: unknown;
  checking: boolean;
  onCheck: () => void;
}): ReactNode {
  const { preflight, error, checking, onCheck } = props;
  const [open, setOpen] = useState(false);
  const checks = preflight?.checks.toSorted((a, b) => ORDER[a.status] - ORDER[b.status]) ?? [];
  const good = checks.filter(({ status }) => status === 'ok');
  const shown = open ? checks : checks.filter(({ status }) => status !== 'ok');
  // A single line says it all by itself.
  const isAlone = !open && shown.length === 1;
  const SumIcon = ICONS[preflight?.status ?? 'ok'];
  const list = shown.length > 0 && (
    <ul className={classes.checks}>
      {shown.map(({ id, status, what, fix }) => {
        const Icon = ICONS[status];
        return (
          <li key={id} className={classes.check} data-status={status}>
            <Icon size={17} aria-hidden className={classes.checkIcon} />
            <span className={classes.checkText}>
              <span className="visually-hidden">{WORDS[status]} </span>
              {what}
              {fix !== null && (
                <span className={classes.fix}>
                  <WithCommands text={fix} />
                </span>
              )}
              {status !== 'ok' && <AllowButton check={id} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
  return (
    <section className={classes.machine} aria-label={tr('This machine')}>
      <div className={classes.machineHead}>
        {isAlone && list}
        {preflight && !isAlone && (
          <p className={classes.sum} data-status={preflight.status} role="status">
            <SumIcon size={17} aria-hidden />
            {SUMS[preflight.status]}
          </p>
        )}
        {good.length > 0 && (
          <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? tr('Hide details') : tr('Details')}
          </Button>
        )}
        <span className={classes.grow} />
        <CommandButton
          variant="default"
          size="compact-xs"
          icon={IconRefresh}
          command="record.check"
          onClick={onCheck}
          loading={checking && preflight !== undefined}
        >
          {tr('Check again')}
        </CommandButton>
      </div>
      {error != null && (
        <ErrorPanel error={error} what={tr('The machine could not be checked.')} compact onRetry={onCheck} />
      )}
      {!preflight && error == null && <ProgressWithStop what={tr('Checking what recording needs …')} value={null} />}
      {!isAlone && list}
    </section>
  );
}

/** In the desktop app on macOS: the page of the system's settings that grants what is missing. */
function AllowButton({ check }: { check: string }): ReactNode {
  const bridge = desktop;
  const permission = PERMISSIONS.find((name) => check === `permission:${name}`);
  if (bridge?.platform !== 'darwin' || permission === undefined) return null;
  return (
    <Button variant="default" size="compact-xs" onClick={() => void bridge.allow(permission).catch(() => undefined)}>
      {tr('Open the settings')}
    </Button>
  );
}
