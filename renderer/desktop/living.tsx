import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { DesktopBridge, OpenRequest } from '../../schemas/desktop.ts';
import { client, toError } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { useLastWorkspace } from '../client/workspace.ts';
import { tr } from '../language/tr.ts';
import { decodedPart } from '../ui/address.ts';
import { activeCommands, useKeys } from '../ui/keys/store.ts';
import { useArrivals } from './arrivals.ts';
import { desktop } from './bridge.ts';
import classes from './living.module.css';
import { menuCommands } from './menu.ts';

/** The desktop app's part of every page: native menu, what is opened or dropped from outside. Nothing in a browser. */
export function DesktopLiving(): ReactNode {
  return desktop === null ? null : <Living bridge={desktop} />;
}

/** So many changes of the commands at once are one menu, ms. */
const MENU_MS = 60;
/** How long a command may take until it can be done: the page is loaded and the machine is checked first, ms. */
const COMMAND_MS = 20_000;
const NOTICE_MS = 8000;

function Living({ bridge }: { bridge: DesktopBridge }): ReactNode {
  const [, go] = useLocation();
  const cache = useQueryClient();
  const notice = useArrivals((state) => state.notice);

  useEffect(() => {
    let sent = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = (): void => {
      const { active, chosen, mac } = useKeys.getState();
      const commands = menuCommands(active, chosen, mac);
      const text = JSON.stringify(commands);
      if (text === sent) return;
      sent = text;
      bridge.showMenu(commands);
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(send, MENU_MS);
    };
    soon();
    const stop = useKeys.subscribe(soon);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [bridge]);

  useEffect(
    () =>
      bridge.onCommand((id) =>
        activeCommands()
          .find((command) => command.id === id)
          ?.run(null),
      ),
    [bridge],
  );

  useEffect(() => {
    const open = async (request: OpenRequest): Promise<void> => {
      if (request.kind === 'page') {
        go(request.path);
        if (request.command !== undefined) runOnce(request.command);
        return;
      }
      if (request.kind === 'workspace') {
        const { id } = await client.workspaces.open({ dir: request.dir, create: false });
        await cache.invalidateQueries({ queryKey: queries.workspaces().queryKey });
        go(paths.library(id));
        return;
      }
      const recent = await client.workspaces.recent();
      const at = /^\/w\/([^/]+)/.exec(location.pathname)?.[1];
      const ws = at ? decodedPart(at) : (useLastWorkspace.getState().ws ?? recent.find(({ exists }) => exists)?.id);
      useArrivals.setState({ importPath: request.path });
      if (ws) return go(paths.recordings(ws));
      say(tr('Open or make a workspace first; then {path} can be imported into it.', { path: request.path }));
      go(paths.welcome);
    };
    const tryOpen = (request: OpenRequest): void => void open(request).catch((error) => say(toError(error).message));
    const onDrop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      if (event.defaultPrevented || !file) return;
      event.preventDefault();
      bridge
        .dropped(file)
        .then((request) => (request ? tryOpen(request) : say(NOT_OURS(file.name))))
        .catch((error) => say(toError(error).message));
    };
    const onDragOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const stopOpening = bridge.onOpen(tryOpen);
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      stopOpening();
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  }, [bridge, cache, go]);

  return (
    <div role="status" aria-live="polite">
      {notice !== null && <p className={classes.notice}>{notice}</p>}
    </div>
  );
}

const NOT_OURS = (name: string): string =>
  tr(
    '{name} is neither a workspace (a folder with studio.sqlite) nor a recording (a folder with recording.json, or its archive).',
    { name },
  );

function say(notice: string): void {
  useArrivals.setState({ notice });
  setTimeout(() => {
    if (useArrivals.getState().notice === notice) useArrivals.setState({ notice: null });
  }, NOTICE_MS);
}

/** Does a command as soon as a page offers it; forgets it when none does. */
function runOnce(id: string): void {
  const attempt = (): boolean => {
    const command = activeCommands().find((one) => one.id === id);
    if (!command) return false;
    stop();
    command.run(null);
    return true;
  };
  let stop: () => void = () => undefined;
  const timer = setTimeout(() => stop(), COMMAND_MS);
  const unsubscribe = useKeys.subscribe(() => void attempt());
  stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  attempt();
}
