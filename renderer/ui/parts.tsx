import { Progress as Bar, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { tr } from '../language/tr.ts';
import { toError } from './errors.ts';
import { ago, duration, durationInWords, fullTime, percent } from './format.ts';
import { Kbd } from './keys/kbd.tsx';
import classes from './parts.module.css';
import { WithCommands } from './with-commands.tsx';

/** The head of a page: its one h1, what it is in a line, and what can be done. Names the window too. */
export function PageHeader(props: {
  title: string;
  /** For the window, when the heading is more than its name. */
  windowTitle?: string;
  above?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  const { title, windowTitle = title, above, about, actions } = props;
  usePageTitle(windowTitle);
  return (
    <header className={classes.header}>
      <div className={classes.headings}>
        {above}
        <h1 className={classes.title} title={title}>
          {title}
        </h1>
        {about && <div className={classes.about}>{about}</div>}
      </div>
      {actions && <Group gap={8}>{actions}</Group>}
    </header>
  );
}

/** Names the window after the page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Trajectory Studio' ? title : tr('{title} · Trajectory Studio', { title });
  }, [title]);
}

/** Nothing is here yet, and what to do about it. */
export function EmptyState(props: {
  icon?: ReactNode;
  title: string;
  /** When it is the whole page, its title is the page's heading. */
  wholePage?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  const Heading = props.wholePage ? 'h1' : 'h2';
  return (
    <div className={classes.empty}>
      {props.icon && (
        <div className={classes.emptyIcon} aria-hidden>
          {props.icon}
        </div>
      )}
      <Heading className={classes.emptyTitle}>{props.title}</Heading>
      {props.children && <div className={classes.emptyText}>{props.children}</div>}
      {props.actions && (
        <Group gap={8} justify="center" mt={4}>
          {props.actions}
        </Group>
      )}
    </div>
  );
}

/** An error: what went wrong, where, what to do, and the way to try again. */
export function ErrorPanel(props: {
  error: unknown;
  what?: string;
  onRetry?: () => void;
  compact?: boolean;
}): ReactNode {
  const { code, message } = toError(props.error);
  return (
    <div className={classes.error} role="alert" data-compact={props.compact}>
      <IconAlertTriangle size={18} aria-hidden className={classes.errorIcon} />
      <div className={classes.errorText}>
        {props.what && <strong>{props.what}</strong>}
        <span>
          <WithCommands text={message} />
        </span>
        {!props.compact && <Code className={classes.errorCode}>{code}</Code>}
      </div>
      {props.onRetry && (
        <Button variant="default" onClick={props.onRetry} leftSection={<IconRefresh size={14} aria-hidden />}>
          {tr('Try again')}
        </Button>
      )}
    </div>
  );
}

/** The error of a query, with the way to ask again; nothing while it has none. */
export function QueryError(props: {
  of: { error: unknown; refetch: () => unknown };
  what?: string;
  compact?: boolean;
}): ReactNode {
  const { of, ...panel } = props;
  return of.error != null && <ErrorPanel error={of.error} onRetry={() => void of.refetch()} {...panel} />;
}

/** The head of a table: what its columns are called; `hidden` is for assistive technology alone. */
export function TableHead({ columns, hidden }: { columns: readonly string[]; hidden?: boolean }): ReactNode {
  return (
    <thead className={hidden ? 'visually-hidden' : undefined}>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Long work: what, how far, and a stop. `value` from 0 to 1; null when nobody knows how far. */
export function ProgressWithStop(props: {
  what: string;
  value: number | null;
  message?: string | null;
  onStop?: (() => void) | undefined;
}): ReactNode {
  const { what, value, message, onStop } = props;
  return (
    <div className={classes.progress}>
      <div className={classes.progressHead}>
        <Text size="sm" className={classes.progressWhat} title={what}>
          {what}
        </Text>
        {value !== null && (
          <Text size="xs" c="dimmed" className="tabular">
            {percent(value)}
          </Text>
        )}
        {onStop && (
          <Button variant="default" size="compact-xs" onClick={onStop} aria-label={tr('Stop: {what}', { what })}>
            {tr('Stop')}
          </Button>
        )}
      </div>
      <Bar
        value={value === null ? 100 : value * 100}
        animated={value === null}
        striped={value === null}
        size="sm"
        aria-label={what}
      />
      {message && (
        <Text size="xs" c="dimmed" lineClamp={2} title={message}>
          {message}
        </Text>
      )}
    </div>
  );
}

/** The keys for the rows of a list, where there is room to name them. */
export function RowKeys({ keys }: { keys: readonly (readonly [words: string, ...commands: string[]])[] }): ReactNode {
  return (
    <p className={classes.rowKeys}>
      {keys.map(([words, ...commands]) => (
        <span key={words}>
          {commands.map((command) => (
            <Kbd key={command} command={command} main />
          ))}{' '}
          {words}
        </span>
      ))}
    </p>
  );
}

/** A text that may be long: at most `lines` lines, whole in the title. Text only, never markup. */
export function Clamp({ children, lines = 1 }: { children: string; lines?: number }): ReactNode {
  return (
    <span
      className={lines === 1 ? classes.clampOne : classes.clamp}
      style={lines === 1 ? undefined : { WebkitLineClamp: lines }}
      title={children.length > 2000 ? `${children.slice(0, 2000)}…` : children}
    >
      {children}
    </span>
  );
}

/** When something was: short, with the full time as its title. */
export function Time({ iso }: { iso: string }): ReactNode {
  return (
    <time dateTime={iso} title={fullTime(iso)} className="tabular">
      {ago(iso, new Date())}
    </time>
  );
}

/** A duration in µs. */
export function Duration({ us }: { us: number | null }): ReactNode {
  if (us === null) return <span>–</span>;
  return (
    <span className="tabular" title={durationInWords(us)}>
      {duration(us)}
    </span>
  );
}
