import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { useLastWorkspace } from '../client/workspace.ts';
import { tr } from '../language/tr.ts';
import { Boundary } from '../ui/boundary.tsx';
import { EmptyState, usePageTitle } from '../ui/parts.tsx';
import { Shell } from './frame.tsx';
import { Lazy, type LazyPage, lazyPage } from './lazy-page.tsx';

const welcome = lazyPage(async () => (await import('../welcome/page.tsx')).WelcomePage);
const library = lazyPage(async () => (await import('../library/page.tsx')).LibraryPage);
const task = lazyPage(async () => (await import('../task/page.tsx')).TaskPage);
const record = lazyPage(async () => (await import('../recorder/page.tsx')).RecordPage);
const recordings = lazyPage(async () => (await import('../recordings/page.tsx')).RecordingsPage);
const annotate = lazyPage(async () => (await import('../annotate/page.tsx')).AnnotatePage);
const review = lazyPage(async () => (await import('../review/page.tsx')).ReviewPage);
const work = lazyPage(async () => (await import('../work/page.tsx')).WorkPage);
const compare = lazyPage(async () => (await import('../compare/page.tsx')).ComparePage);
const play = lazyPage(async () => (await import('../play/page.tsx')).PlayPage);
const insights = lazyPage(async () => (await import('../insights/page.tsx')).InsightsPage);
const dataset = lazyPage(async () => (await import('../datasets/page.tsx')).DatasetPage);
const exportPage = lazyPage(async () => (await import('../exports/page.tsx')).ExportPage);
const evaluate = lazyPage(async () => (await import('../evaluate/page.tsx')).EvaluatePage);
const cases = lazyPage(async () => (await import('../evaluate/cases/page.tsx')).CasesPage);
const settings = lazyPage(async () => (await import('../settings/page.tsx')).SettingsPage);

const screenShare = lazyPage(async () => (await import('../desktop/share-page.tsx')).ScreenShare);
const recordingBar = lazyPage(async () => (await import('../desktop/bar.tsx')).RecordingBar);

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
    const alone = location === paths.recordingBar ? recordingBar : screenShare;
    return <Lazy of={alone} props={{}} meanwhile={null} />;
  }
  return (
    <Shell ws={ws ?? (location === paths.settings ? remembered : null)}>
      <Boundary key={location} what={tr('Something went wrong on this page.')}>
        <Switch>
          <Route path="/">{() => <Lazy of={welcome} props={{}} />}</Route>
          <Route path="/settings">{() => <Lazy of={settings} props={{}} />}</Route>
          <Route path="/w/:ws">{({ ws }) => <Page of={library} ws={ws} />}</Route>
          <Route path="/w/:ws/tasks/:task">
            {({ ws, task: id }) => <Lazy of={task} key={id} props={{ ws: decode(ws), task: decode(id) }} />}
          </Route>
          <Route path="/w/:ws/tasks/:task/record">
            {({ ws, task }) => <Lazy of={record} key={task} props={{ ws: decode(ws), task: decode(task) }} />}
          </Route>
          <Route path="/w/:ws/recordings">{({ ws }) => <Page of={recordings} ws={ws} />}</Route>
          <Route path="/w/:ws/recordings/:recording">
            {({ ws, recording }) => (
              <Lazy of={annotate} key={recording} props={{ ws: decode(ws), recording: decode(recording) }} />
            )}
          </Route>
          <Route path="/w/:ws/recordings/:recording/review">
            {({ ws, recording }) => (
              <Lazy of={review} key={recording} props={{ ws: decode(ws), recording: decode(recording) }} />
            )}
          </Route>
          <Route path="/w/:ws/recordings/:recording/compare">
            {({ ws, recording }) => (
              <Lazy of={compare} key={recording} props={{ ws: decode(ws), recording: decode(recording) }} />
            )}
          </Route>
          <Route path="/w/:ws/recordings/:recording/play">
            {({ ws, recording }) => (
              <Lazy of={play} key={recording} props={{ ws: decode(ws), recording: decode(recording) }} />
            )}
          </Route>
          <Route path="/w/:ws/insights">{({ ws }) => <Page of={insights} ws={ws} />}</Route>
          <Route path="/w/:ws/work">{({ ws }) => <Page of={work} ws={ws} />}</Route>
          <Route path="/w/:ws/dataset/:view?">
            {({ ws, view }) => <Lazy of={dataset} key={ws} props={{ ws: decode(ws), view }} />}
          </Route>
          <Route path="/w/:ws/export">{({ ws }) => <Page of={exportPage} ws={ws} />}</Route>
          <Route path="/w/:ws/evaluate">{({ ws }) => <Page of={evaluate} ws={ws} />}</Route>
          <Route path="/w/:ws/evaluate/:run">
            {({ ws, run }) => <Lazy of={cases} key={run} props={{ ws: decode(ws), run: decode(run) }} />}
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
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

function Page({ of, ws }: { of: LazyPage<{ ws: string }>; ws: string }): ReactNode {
  return <Lazy of={of} key={ws} props={{ ws: decode(ws) }} />;
}

function NotFound(): ReactNode {
  usePageTitle(tr('Not found'));
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title={tr('There is no such page')}
      wholePage
      actions={
        <Button component={Link} href={paths.welcome}>
          {tr('Go to the workspaces')}
        </Button>
      }
    >
      {tr('The address may be old or mistyped. Nothing was changed.')}
    </EmptyState>
  );
}
