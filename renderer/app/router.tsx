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
const Review = lazy(async () => ({ default: (await import('../review/page.tsx')).ReviewPage }));
const Work = lazy(async () => ({ default: (await import('../work/page.tsx')).WorkPage }));
const Compare = lazy(async () => ({ default: (await import('../compare/page.tsx')).ComparePage }));
const Insights = lazy(async () => ({ default: (await import('../insights/page.tsx')).InsightsPage }));
const Dataset = lazy(async () => ({ default: (await import('../dataset/page.tsx')).DatasetPage }));
const Exports = lazy(async () => ({ default: (await import('../exports/page.tsx')).ExportPage }));
const Evaluate = lazy(async () => ({ default: (await import('../evaluate/page.tsx')).EvaluatePage }));
const Cases = lazy(async () => ({ default: (await import('../evaluate/cases/page.tsx')).CasesPage }));
const Settings = lazy(async () => ({ default: (await import('../settings/page.tsx')).SettingsPage }));

const ScreenShare = lazy(async () => ({ default: (await import('../desktop/share-page.tsx')).ScreenShare }));
const RecordingBar = lazy(async () => ({ default: (await import('../desktop/bar.tsx')).RecordingBar }));

/** Every address of the studio and the page it shows. */
export function Router(): ReactNode {
  const [location] = useLocation();
  const remembered = useLastWorkspace((state) => state.ws);
  const inAddress = /^\/w\/([^/]+)/.exec(location)?.[1];
  const ws = inAddress === undefined ? null : decodeURIComponent(inAddress);
  useEffect(() => {
    if (ws !== null) useLastWorkspace.setState({ ws });
  }, [ws]);
  // The desktop app's recording bar is a window of its own, without the studio around it; so is the one that shares the
  // screen, which nobody sees.
  if (location === paths.recordingBar || location === paths.screenShare) {
    return <Suspense fallback={null}>{location === paths.recordingBar ? <RecordingBar /> : <ScreenShare />}</Suspense>;
  }
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
            <Route path="/w/:ws/recordings/:recording/review">
              {({ ws, recording }) => <Review key={recording} ws={decode(ws)} recording={decode(recording)} />}
            </Route>
            <Route path="/w/:ws/recordings/:recording/compare">
              {({ ws, recording }) => <Compare key={recording} ws={decode(ws)} recording={decode(recording)} />}
            </Route>
            <Route path="/w/:ws/insights">{({ ws }) => <Page of={Insights} ws={ws} />}</Route>
            <Route path="/w/:ws/work">{({ ws }) => <Page of={Work} ws={ws} />}</Route>
            <Route path="/w/:ws/dataset/:view?">
              {({ ws, view }) => <Dataset key={ws} ws={decode(ws)} view={view} />}
            </Route>
            <Route path="/w/:ws/export">{({ ws }) => <Page of={Exports} ws={ws} />}</Route>
            <Route path="/w/:ws/evaluate">{({ ws }) => <Page of={Evaluate} ws={ws} />}</Route>
            <Route path="/w/:ws/evaluate/:run">
              {({ ws, run }) => <Cases key={run} ws={decode(ws)} run={decode(run)} />}
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
