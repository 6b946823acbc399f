import { Button, Loader } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { paths } from './paths.ts';
import { Shell } from './shell.tsx';
import { Boundary } from './ui/boundary.tsx';
import { EmptyState, usePageTitle } from './ui/parts.tsx';
import { useLastWorkspace } from './workspace.ts';

const Welcome = lazy(async () => ({ default: (await import('../welcome/page.tsx')).WelcomePage }));
const Library = lazy(async () => ({ default: (await import('../library/page.tsx')).LibraryPage }));
const Task = lazy(async () => ({ default: (await import('../task/page.tsx')).TaskPage }));
const Record = lazy(async () => ({ default: (await import('../record/page.tsx')).RecordPage }));
const Recordings = lazy(async () => ({ default: (await import('../recordings/page.tsx')).RecordingsPage }));
const Annotate = lazy(async () => ({ default: (await import('../annotate/page.tsx')).AnnotatePage }));
const Settings = lazy(async () => ({ default: (await import('../settings/page.tsx')).SettingsPage }));

/** Every address of the studio and the page it shows. */
export function Router(): ReactNode {
  const [location] = useLocation();
  const remembered = useLastWorkspace((state) => state.ws);
  const inAddress = /^\/w\/([^/]+)/.exec(location)?.[1];
  const ws = inAddress === undefined ? null : decodeURIComponent(inAddress);
  useEffect(() => {
    if (ws !== null) useLastWorkspace.setState({ ws });
  }, [ws]);
  return (
    <Shell ws={ws ?? (location === paths.settings ? remembered : null)}>
      <Boundary key={location} what="This page met a defect.">
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/">{() => <Welcome />}</Route>
            <Route path="/settings">{() => <Settings />}</Route>
            <Route path="/w/:ws">{({ ws }) => <Page of={Library} ws={ws} />}</Route>
            <Route path="/w/:ws/tasks/:task">
              {({ ws, task }) => <Task key={task} ws={decode(ws)} task={decode(task)} />}
            </Route>
            <Route path="/w/:ws/tasks/:task/record">
              {({ ws, task }) => <Record key={task} ws={decode(ws)} task={decode(task)} />}
            </Route>
            <Route path="/w/:ws/recordings">{({ ws }) => <Page of={Recordings} ws={ws} />}</Route>
            <Route path="/w/:ws/recordings/:recording">
              {({ ws, recording }) => <Annotate key={recording} ws={decode(ws)} recording={decode(recording)} />}
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Shell>
  );
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

function Page({ of: Shown, ws }: { of: ComponentType<{ ws: string }>; ws: string }): ReactNode {
  return <Shown key={ws} ws={decode(ws)} />;
}

function Loading(): ReactNode {
  return (
    <div style={{ display: 'grid', placeItems: 'center', height: '100%' }}>
      <Loader size="sm" aria-label="Loading" role="status" />
    </div>
  );
}

function NotFound(): ReactNode {
  usePageTitle('Not found');
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title="There is no such page"
      wholePage
      actions={
        <Button component={Link} href={paths.welcome}>
          Go to the workspaces
        </Button>
      }
    >
      The address may be old or mistyped. Nothing was changed.
    </EmptyState>
  );
}
