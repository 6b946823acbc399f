import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconCommand,
  IconFolder,
  IconFolderPlus,
  IconKeyboard,
  IconMenu2,
  IconPackageExport,
  IconPlugConnectedX,
  IconSettings,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useWorkspaceChanges } from '../client/changes.ts';
import { retryNow, useConnection } from '../client/connection.ts';
import { useNextWork } from '../client/next-work.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePersonId } from '../client/person.ts';
import { queries, useWorkspace } from '../client/queries.ts';
import { isTeamPage } from '../client/team-page.ts';
import { useColorScheme } from '../client/use-color-scheme.ts';
import { JobsTray } from '../jobs/tray.tsx';
import { tr, trParts } from '../language/tr.ts';
import { decodedPart } from '../ui/address.ts';
import { formatKey } from '../ui/keys/chord.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useKeysOf } from '../ui/keys/store.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import { PAGE_BAR } from '../ui/page-bar.ts';
import { ToastLine } from '../ui/toast-line.tsx';
import { Account } from './account.tsx';
import classes from './frame.module.css';
import { KeyList } from './key-list.tsx';
import { Palette } from './palette.tsx';
import { PersonChooser, WhoAmI } from './person-chooser.tsx';

/** The frame around every page: where one is, where one can go, whether the studio answers. `ws` null: no workspace. */
export function Shell({ ws, children }: { ws: string | null; children: ReactNode }): ReactNode {
  const [, go] = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [jobs, setJobs] = useState(false);
  const { toggle } = useColorScheme();
  const inWorkspace = ws !== null;
  const nextWork = useNextWork(ws);
  const { main, toContent } = useFocusOnContent();
  const live = useFollowing(ws);
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
    'app.person': { run: () => askWho(), enabled: inWorkspace && !isTeamPage },
    'app.members': { run: () => ws && go(paths.members(ws)), enabled: inWorkspace && isTeamPage },
    'app.dataset': { run: () => ws && go(paths.dataset(ws)), enabled: inWorkspace },
    'app.exports': { run: () => ws && go(paths.exports(ws)), enabled: inWorkspace },
    'app.evaluate': { run: () => ws && go(paths.evaluate(ws)), enabled: inWorkspace },
    'app.runs': { run: () => ws && go(paths.runs(ws)), enabled: inWorkspace },
    'app.compositions': { run: () => ws && go(paths.compositions(ws)), enabled: inWorkspace },
    'app.share': { run: () => ws && go(sharePlace(ws)), enabled: inWorkspace },
    'app.jobs': { run: () => setJobs((shown) => !shown), enabled: inWorkspace },
  });
  return (
    <div className={classes.shell}>
      <button type="button" className={classes.skip} onClick={toContent}>
        {tr('Skip to the content')}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are the controls. */}
      <header
        className={classes.bar}
        onClick={({ target }) => target instanceof Element && target.closest('a') && toContent()}
      >
        <Link href={paths.welcome} className={classes.brand} aria-label={tr('Trajectory Studio, workspaces')}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span className={classes.brandName}>{tr('Trajectory Studio')}</span>
        </Link>
        {ws !== null && <WorkspaceMenu ws={ws} />}
        {ws !== null && <PlacesMenu ws={ws} onKeys={() => setOpen('keys')} />}
        {ws !== null && <Places ws={ws} />}
        {/* A page's own bar may stand here (ui/page-bar.ts); the places are in a menu then. */}
        <div id={PAGE_BAR} className={classes.pageBar} />
        <div className={classes.spacer} />
        <RecordingNow />
        {isTeamPage ? <Account /> : ws !== null && <WhoAmI ws={ws} />}
        {ws !== null && <JobsTray ws={ws} live={live} opened={jobs} onChange={setJobs} />}
        <CommandButton
          variant="default"
          size="compact-sm"
          className={classes.find}
          icon={IconCommand}
          command="app.palette"
          onClick={() => setOpen('palette')}
        >
          <span className={classes.findName}>{tr('Commands')}</span>
        </CommandButton>
        <BarIcon label={tr('List of all keys')} command="app.keys" onClick={() => setOpen('keys')}>
          <IconKeyboard size={18} aria-hidden />
        </BarIcon>
        <BarIcon label={tr('Settings')} command="app.settings" onClick={() => go(paths.settings)}>
          <IconSettings size={18} aria-hidden />
        </BarIcon>
      </header>
      <ConnectionBanner />
      <main id="main" ref={main} className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <ToastLine />
      {ws !== null && !isTeamPage && <PersonChooser ws={ws} />}
      <Palette ws={ws} opened={open === 'palette'} onClose={() => setOpen(null)} />
      <KeyList opened={open === 'keys'} onClose={() => setOpen(null)} />
    </div>
  );
}

const signInAddress = (): string =>
  `${paths.signIn}?${new URLSearchParams({ to: `${location.pathname}${location.search}` })}`;

/** A recording's document and its review have streams of their own, and a browser has six to a server for all its windows. */
const OWN_STREAMS = /^\/w\/[^/]+\/recordings\/[^/]+(\/review|\/compare)?$/;

/** Follows the workspace's changes where the page has no streams of its own; whether it does. */
function useFollowing(ws: string | null): boolean {
  const [location] = useLocation();
  const live = ws !== null && !OWN_STREAMS.test(location);
  useWorkspaceChanges(live ? ws : null);
  return live;
}

/**
 * Whoever goes to a page by the bar works in that page next: the focus leaves the bar, so that Enter opens the marked row
 * and does not follow the link once more.
 */
function useFocusOnContent() {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const toContent = (): void => main.current?.focus({ preventScroll: true });
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    const leaveBar = (): void => {
      if (document.activeElement?.closest('header') && !main.current?.contains(document.activeElement)) {
        main.current?.focus({ preventScroll: true });
      }
    };
    leaveBar();
    // A menu gives the focus back to its button once it has closed.
    const timer = setTimeout(leaveBar, MENU_CLOSED_MS);
    return () => clearTimeout(timer);
  }, [location]);
  return { main, toContent };
}

/** The export page with its dialog for an archive. */
const sharePlace = (ws: string): string => `${paths.exports(ws)}?share=`;

/** A menu of the bar has closed and given the focus back by then. */
const MENU_CLOSED_MS = 250;

function BarIcon(props: { label: string; command: string; onClick: () => void; children: ReactNode }): ReactNode {
  const [chord] = useKeysOf(props.command);
  const label = chord === undefined ? props.label : `${props.label} (${formatKey(chord)})`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} className={classes.icon} onClick={props.onClick}>
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Others submit work meanwhile. */
const COUNT_AGAIN_MS = 60_000;

/** The places where the page has the bar for itself. */
function PlacesMenu({ ws, onKeys }: { ws: string; onKeys: () => void }): ReactNode {
  const [, go] = useLocation();
  const places = usePlaces(ws);
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <ActionIcon
          className={classes.placesMenu}
          variant="subtle"
          color="gray"
          aria-label={tr('Go to')}
          title={tr('Go to …')}
        >
          <IconMenu2 size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <MenuItems>
        {places.map(({ href, name, command }) => (
          <Menu.Item key={href} rightSection={<Kbd command={command} />} onClick={() => go(href)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item rightSection={<Kbd command="app.keys" />} onClick={onKeys}>
          {tr('List of all keys')}
        </Menu.Item>
        <Menu.Item rightSection={<Kbd command="app.settings" />} onClick={() => go(paths.settings)}>
          {tr('Settings')}
        </Menu.Item>
      </MenuItems>
    </Menu>
  );
}

function usePlaces(ws: string): Place[] {
  const [location] = useLocation();
  const person = usePersonId(ws);
  const waiting =
    useQuery({ ...queries.work(ws, person ?? ''), enabled: person !== null, refetchInterval: COUNT_AGAIN_MS }).data
      ?.length ?? 0;
  const inRecordings = location.startsWith(paths.recordings(ws));
  const inWork = location.startsWith(paths.work(ws));
  const inInsights = location.startsWith(paths.insights(ws));
  const inDataset = location.startsWith(paths.dataset(ws));
  const inExports = location.startsWith(paths.exports(ws));
  const inEvaluate = location.startsWith(paths.evaluate(ws));
  const inCompositions = [paths.compositions, paths.verification].some((of) => location.startsWith(of(ws)));
  const inRuns = [paths.runs, paths.arena].some((of) => location.startsWith(of(ws)));
  return [
    {
      href: paths.library(ws),
      name: tr('Library'),
      command: 'app.library',
      here: location === paths.library(ws) || location.startsWith(`${paths.library(ws)}/tasks`),
    },
    { href: paths.recordings(ws), name: tr('Recordings'), command: 'app.recordings', here: inRecordings },
    { href: paths.work(ws), name: tr('My work'), command: 'app.work', here: inWork, count: waiting },
    { href: paths.insights(ws), name: tr('Insights'), command: 'app.insights', here: inInsights },
    { href: paths.dataset(ws), name: tr('Data set'), command: 'app.dataset', here: inDataset },
    { href: paths.exports(ws), name: tr('Export'), command: 'app.exports', here: inExports },
    { href: paths.evaluate(ws), name: tr('Evaluate'), command: 'app.evaluate', here: inEvaluate },
    { href: paths.runs(ws), name: tr('Runs'), command: 'app.runs', here: inRuns },
    { href: paths.compositions(ws), name: tr('Compositions'), command: 'app.compositions', here: inCompositions },
  ];
}

function Places({ ws }: { ws: string }): ReactNode {
  const places = usePlaces(ws);
  return (
    <nav className={classes.places} aria-label={tr('Workspace')}>
      {places.map((place) => (
        <PlaceLink key={place.href} {...place} />
      ))}
    </nav>
  );
}

type Place = { href: string; name: string; command: string; here: boolean; count?: number };

function PlaceLink({ href, name, command, here, count = 0 }: Place): ReactNode {
  const [chord] = useKeysOf(command);
  return (
    <Link
      href={href}
      className={classes.place}
      aria-current={here ? 'page' : undefined}
      title={chord === undefined ? undefined : `${name} (${formatKey(chord)})`}
    >
      {name}{' '}
      {count > 0 && (
        <span className={classes.count}>
          {trParts('{count}<hidden> to do</hidden>', {
            count,
            hidden: (inside) => <span className="visually-hidden">{inside}</span>,
          })}
        </span>
      )}{' '}
      <Kbd command={command} />
    </Link>
  );
}

function WorkspaceMenu({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const here = useWorkspace(ws);
  const all = useQuery(queries.workspaces()).data ?? [];
  const name = here?.name ?? tr('Workspace');
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.workspace}
          aria-label={tr('Workspace {name}: switch', { name })}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          title={here?.dir}
        >
          <span className={classes.workspaceName}>{name}</span>
        </Button>
      </Menu.Target>
      <MenuItems>
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
          leftSection={<IconPackageExport size={15} aria-hidden />}
          rightSection={<Kbd command="app.share" />}
          onClick={() => go(sharePlace(ws))}
        >
          {tr('Share this workspace …')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolderPlus size={15} aria-hidden />}
          rightSection={<Kbd command="app.welcome" />}
          onClick={() => go(paths.welcome)}
        >
          {tr('Open or create another')}
        </Menu.Item>
      </MenuItems>
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
    <Link href={paths.record(decodedPart(ws), recorder.task)} className={classes.recording}>
      {trParts('{dot} Recording {task}', { dot: <span className={classes.dot} aria-hidden />, task: recorder.task })}
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
              {trParts(
                'The connection to the studio is lost. What was stored stays stored; this page asks again until it answers. If the studio was stopped, start it again with {command}.',
                { command: <code>npm start</code> },
              )}
            </span>
          ) : isTeamPage ? (
            <span>
              {trParts(
                'You are signed out. <link>Sign in again</link>, in this tab or another: what you did here and could not be sent is kept in this tab.',
                { link: (inside) => <a href={signInAddress()}>{inside}</a> },
              )}
            </span>
          ) : (
            <span>
              {tr(
                'The studio was started again and does not know this page any more. Open the address that it printed, in any tab; this page then continues.',
              )}
            </span>
          )}
          <Button variant="default" size="compact-xs" onClick={() => void retryNow()}>
            {tr('Try now')}
          </Button>
        </div>
      )}
      {connection === 'healed' && (
        <div className={classes.healed}>
          <IconCheck size={16} aria-hidden /> {tr('Connected again.')}
        </div>
      )}
    </div>
  );
}
