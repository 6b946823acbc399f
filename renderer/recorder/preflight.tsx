import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Preflight } from '../../schemas/api/models.ts';
import { PERMISSIONS } from '../../schemas/desktop.ts';
import { desktop } from '../desktop/bridge.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { ErrorPanel, ProgressWithStop } from '../ui/parts.tsx';
import classes from './page.module.css';

const ICONS = { ok: IconCircleCheck, warn: IconAlertTriangle, fail: IconCircleX } as const;
const WORDS = { ok: 'Good:', warn: 'Take care:', fail: 'Missing:' } as const;
const SUMS = {
  ok: 'Ready to record.',
  warn: 'Recording works; look at the yellow lines first.',
  fail: 'Recording cannot start until the red lines are put right.',
} as const;
const ORDER = { fail: 0, warn: 1, ok: 2 } as const;

/** The machine checked for recording: the worst problem first, each with what to do. */
export function PreflightList(props: {
  preflight: Preflight | undefined;
  error: unknown;
  checking: boolean;
  onCheck: () => void;
}): ReactNode {
  const { preflight, error, checking, onCheck } = props;
  const checks = preflight?.checks.toSorted((a, b) => ORDER[a.status] - ORDER[b.status]);
  return (
    <section className={classes.card} aria-labelledby="preflight-title">
      <div className={classes.cardHead}>
        <h2 id="preflight-title" className={classes.cardTitle}>
          This machine
        </h2>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconRefresh size={13} aria-hidden />}
          rightSection={<Kbd command="record.check" />}
          onClick={onCheck}
          loading={checking && preflight !== undefined}
        >
          Check again
        </Button>
      </div>
      {error != null && <ErrorPanel error={error} what="The machine could not be checked." compact onRetry={onCheck} />}
      {!preflight && error == null && <ProgressWithStop what="Checking what recording needs …" value={null} />}
      {preflight && (
        <p className={classes.sum} data-status={preflight.status} role="status">
          {SUMS[preflight.status]}
        </p>
      )}
      <ul className={classes.checks}>
        {checks?.map(({ id, status, what, fix }) => {
          const Icon = ICONS[status];
          return (
            <li key={id} className={classes.check} data-status={status}>
              <Icon size={17} aria-hidden className={classes.checkIcon} />
              <span className={classes.checkText}>
                <span className="visually-hidden">{WORDS[status]} </span>
                {what}
                {fix !== null && <span className={classes.fix}>{fix}</span>}
                {status !== 'ok' && <AllowButton check={id} />}
              </span>
            </li>
          );
        })}
      </ul>
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
      Open the settings
    </Button>
  );
}
