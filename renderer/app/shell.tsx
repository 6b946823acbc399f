import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconCommand,
  IconFolder,
  IconFolderPlus,
  IconKeyboard,
  IconPlugConnectedX,
  IconSettings,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { JobsTray } from '../jobs/tray.tsx';
import { useNextWork } from '../work/next.ts';
import { retryNow, useConnection } from './connection.ts';
import { formatKey } from './keys/chord.ts';
import { Kbd } from './keys/kbd.tsx';
import { KeyList } from './keys/key-list.tsx';
import { Palette } from './keys/palette.tsx';
import { useKeysOf } from './keys/store.ts';
import { useHandlers } from './keys/use-commands.ts';
import { paths } from './paths.ts';
import { askWho } from './person.ts';
import { PersonChooser, WhoAmI } from './person-chooser.tsx';
import { queries, useWorkspace } from './queries.ts';
import classes from './shell.module.css';
import { useColorScheme } from './use-color-scheme.ts';

/** What stands around every page: where one is, where one can go, whether the studio answers. `ws` null: no workspace. */
export function Shell({ ws, children }: { ws: string | null; children: ReactNode }): ReactNode {
  const [, go] = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [jobs, setJobs] = useState(false);
  const { toggle } = useColorScheme();
  const inWorkspace = ws !== null;
  const nextWork = useNextWork(ws);
  useHandlers('global', {
    'app.palette': () => setOpen('palette'),
    'app.keys': () => setOpen('keys'),
    'app.settings': () => go(paths.settings),
    'app.welcome': () => go(paths.welcome),
    'app.theme': toggle,
    'app.library': { run: () => ws && go(paths.library(ws)), enabled: inWorkspace },
    'app.recordings': { run: () => ws && go(paths.recordings(ws)), enabled: inWorkspace },
    'app.work': { run: () => ws && go(paths.work(ws)), enabled: inWorkspace },
    'app.insights': { run: () => ws && go(paths.insights(ws)), enabled: inWorkspace },
    'app.nextWork': { run: () => void nextWork(), enabled: inWorkspace },
    'app.person': { run: () => askWho(), enabled: inWorkspace },
    'app.dataset': { run: () => ws && go(paths.dataset(ws)), enabled: inWorkspace },
    'app.exports': { run: () => ws && go(paths.exports(ws)), enabled: inWorkspace },
    'app.evaluate': { run: () => ws && go(paths.evaluate(ws)), enabled: inWorkspace },
    'app.jobs': { run: () => setJobs((shown) => !shown), enabled: inWorkspace },
  });
  return (
    <div className={classes.shell}>
      <button type="button" className={classes.skip} onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header className={classes.bar}>
        <Link href={paths.welcome} className={classes.brand} aria-label="Trajectory Studio, workspaces">
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span className={classes.brandName}>Trajectory Studio</span>
        </Link>
        {ws !== null && <WorkspaceMenu ws={ws} />}
        {ws !== null && <Places ws={ws} />}
        <div className={classes.spacer} />
        <RecordingNow />
        {ws !== null && <WhoAmI ws={ws} />}
        {ws !== null && <JobsTray ws={ws} opened={jobs} onChange={setJobs} />}
        <Button
          variant="default"
          size="compact-sm"
          className={classes.find}
          leftSection={<IconCommand size={14} aria-hidden />}
          rightSection={<Kbd command="app.palette" />}
          onClick={() => setOpen('palette')}
        >
          Commands
        </Button>
        <BarIcon label="List of all keys" command="app.keys" onClick={() => setOpen('keys')}>
          <IconKeyboard size={18} aria-hidden />
        </BarIcon>
        <BarIcon label="Settings" command="app.settings" onClick={() => go(paths.settings)}>
          <IconSettings size={18} aria-hidden />
        </BarIcon>
      </header>
      <ConnectionBanner />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      {ws !== null && <PersonChooser ws={ws} />}
      <Palette opened={open === 'palette'} onClose={() => setOpen(null)} />
      <KeyList opened={open === 'keys'} onClose={() => setOpen(null)} />
    </div>
  );
}

function BarIcon(props: { label: string; command: string; onClick: () => void; children: ReactNode }): ReactNode {
  const [chord] = useKeysOf(props.command);
  const label = chord === undefined ? props.label : `${props.label} (${formatKey(chord)})`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={props.onClick}>
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

function Places({ ws }: { ws: string }): ReactNode {
  const [location] = useLocation();
  const inRecordings = location.startsWith(paths.recordings(ws));
  const inWork = location.startsWith(paths.work(ws));
  const inInsights = location.startsWith(paths.insights(ws));
  const inDataset = location.startsWith(paths.dataset(ws));
  const inExports = location.startsWith(paths.exports(ws));
  const inEvaluate = location.startsWith(paths.evaluate(ws));
  const places = [
    {
      href: paths.library(ws),
      name: 'Library',
      command: 'app.library',
      here: location === paths.library(ws) || location.startsWith(`${paths.library(ws)}/tasks`),
    },
    { href: paths.recordings(ws), name: 'Recordings', command: 'app.recordings', here: inRecordings },
    { href: paths.work(ws), name: 'My work', command: 'app.work', here: inWork },
    { href: paths.insights(ws), name: 'Insights', command: 'app.insights', here: inInsights },
    { href: paths.dataset(ws), name: 'Data set', command: 'app.dataset', here: inDataset },
    { href: paths.exports(ws), name: 'Export', command: 'app.exports', here: inExports },
    { href: paths.evaluate(ws), name: 'Evaluate', command: 'app.evaluate', here: inEvaluate },
  ];
  return (
    <nav className={classes.places} aria-label="Workspace">
      {places.map(({ href, name, command, here }) => (
        <Link key={href} href={href} className={classes.place} aria-current={here ? 'page' : undefined}>
          {name} <Kbd command={command} />
        </Link>
      ))}
    </nav>
  );
}

function WorkspaceMenu({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const here = useWorkspace(ws);
  const all = useQuery(queries.workspaces()).data ?? [];
  const name = here?.name ?? 'Workspace';
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.workspace}
          aria-label={`Workspace ${name}: switch`}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          title={here?.dir}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all
          .filter((one) => one.exists)
          .slice(0, 12)
          .map((one) => (
            <Menu.Item
              key={one.id}
              leftSection={one.id === ws ? <IconCheck size={15} aria-hidden /> : <IconFolder size={15} aria-hidden />}
              onClick={() => go(paths.library(one.id))}
              title={one.dir}
            >
              <span className={classes.menuName}>{one.name}</span>
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconFolderPlus size={15} aria-hidden />}
          rightSection={<Kbd command="app.welcome" />}
          onClick={() => go(paths.welcome)}
        >
          Open or make another
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** On every page but the recorder's own: that something is being recorded, and the way to it. */
function RecordingNow(): ReactNode {
  const [location] = useLocation();
  const recorder = useQuery({ ...queries.recorder(), refetchInterval: 4000 }).data;
  const cached = useQuery(queries.workspaces()).data;
  if (!recorder || recorder.phase === 'done' || recorder.phase === 'failed') return null;
  const ws = /^\/w\/([^/]+)/.exec(location)?.[1] ?? cached?.[0]?.id;
  if (location.endsWith('/record') || ws === undefined) return null;
  return (
    <Link href={paths.record(decodeURIComponent(ws), recorder.task)} className={classes.recording}>
      <span className={classes.dot} aria-hidden /> Recording {recorder.task}
    </Link>
  );
}

/** Says that the studio does not answer, and that it does again. */
function ConnectionBanner(): ReactNode {
  const connection = useConnection((state) => state.connection);
  return (
    <div role="status" aria-live="assertive">
      {(connection === 'lost' || connection === 'refused') && (
        <div className={classes.lost}>
          <IconPlugConnectedX size={16} aria-hidden />
          {connection === 'lost' ? (
            <span>
              The connection to the studio is lost. What was stored stays stored; this page asks again until it answers.
              If the studio was stopped, start it again with <code>npm start</code>.
            </span>
          ) : (
            <span>
              The studio was started again and does not know this page any more. Open the address that it printed, in
              any tab; this page then goes on.
            </span>
          )}
          <Button variant="default" size="compact-xs" onClick={() => void retryNow()}>
            Try now
          </Button>
        </div>
      )}
      {connection === 'healed' && (
        <div className={classes.healed}>
          <IconCheck size={16} aria-hidden /> Connected again.
        </div>
      )}
    </div>
  );
}
