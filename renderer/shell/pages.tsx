import type { ComponentType, ReactNode } from 'react';
import type { StringRouteParams } from 'wouter';
import { fitsPage } from '../../core/page-address.ts';
import { paths } from '../client/paths.ts';
import { decodedPart } from '../ui/address.ts';
import { Lazy, lazyPage } from './lazy-page.tsx';

/** The named parts of an address, such as the workspace's id. */
type Parts = Readonly<Record<string, string | undefined>>;
type Page = { path: string; load: () => Promise<void>; show: (parts: Parts) => ReactNode };

/** `path`: as wouter writes patterns; its named parts are the page's props, decoded. */
function page<Path extends string>(path: Path, load: () => Promise<ComponentType<StringRouteParams<Path>>>): Page {
  const lazy = lazyPage(load);
  const show = (parts: Parts) => <Lazy of={lazy} props={propsOf(parts) as StringRouteParams<Path>} />;
  return { path, load: lazy.load, show };
}

/**
 * Every address of the studio, and its page, whose code is loaded when it is first shown. renderer/page-files.ts reads these lines
 * where the pages are built, for the studio to name a page's code in index.html.
 */
export const PAGES: readonly Page[] = [
  page('/', async () => (await import('../welcome/page.tsx')).WelcomePage),
  page('/settings', async () => (await import('../settings/page.tsx')).SettingsPage),
  page('/w/:ws', async () => (await import('../library/page.tsx')).LibraryPage),
  page('/w/:ws/tasks/:task', async () => (await import('../task/page.tsx')).TaskPage),
  page('/w/:ws/tasks/:task/record', async () => (await import('../recorder/page.tsx')).RecordPage),
  page('/w/:ws/tasks/:task/stage', async () => (await import('../runs/begin-page.tsx')).BeginPage),
  page('/w/:ws/tasks/:task/skill', async () => (await import('../skill/page.tsx')).SkillPage),
  page('/w/:ws/recordings', async () => (await import('../recordings/page.tsx')).RecordingsPage),
  page('/w/:ws/recordings/:recording', async () => (await import('../annotate/page.tsx')).AnnotatePage),
  page('/w/:ws/recordings/:recording/review', async () => (await import('../review/page.tsx')).ReviewPage),
  page('/w/:ws/recordings/:recording/compare', async () => (await import('../compare/page.tsx')).ComparePage),
  page('/w/:ws/recordings/:recording/play', async () => (await import('../play/page.tsx')).PlayPage),
  page(
    '/w/:ws/recordings/:recording/candidates',
    async () => (await import('../runs/candidates-page.tsx')).CandidatesPage,
  ),
  page('/w/:ws/runs', async () => (await import('../runs/page.tsx')).RunsPage),
  page('/w/:ws/arena', async () => (await import('../runs/arena-page.tsx')).ArenaPage),
  page('/w/:ws/runs/:run', async () => (await import('../runs/live-page.tsx')).LiveRunPage),
  page('/w/:ws/compositions', async () => (await import('../compositions/page.tsx')).CompositionsPage),
  page('/w/:ws/compositions/:composition', async () => (await import('../compositions/one-page.tsx')).CompositionPage),
  page(
    '/w/:ws/compositions/:composition/edit',
    async () => (await import('../compositions/edit-page.tsx')).EditCompositionPage,
  ),
  page(
    '/w/:ws/compositions/:composition/verify',
    async () => (await import('../compositions/verify-page.tsx')).VerifyPage,
  ),
  page('/w/:ws/verification', async () => (await import('../compositions/queue-page.tsx')).VerificationQueuePage),
  page('/w/:ws/insights', async () => (await import('../insights/page.tsx')).InsightsPage),
  page('/w/:ws/members', async () => (await import('../team/page.tsx')).MembersPage),
  page('/w/:ws/work', async () => (await import('../work/page.tsx')).WorkPage),
  page('/w/:ws/dataset/:view?', async () => (await import('../datasets/page.tsx')).DatasetPage),
  page('/w/:ws/export', async () => (await import('../exports/page.tsx')).ExportPage),
  page('/w/:ws/evaluate', async () => (await import('../evaluate/page.tsx')).EvaluatePage),
  page('/w/:ws/evaluate/:run', async () => (await import('../evaluate/cases/page.tsx')).CasesPage),
];

const screenShare = lazyPage(async () => (await import('../desktop/share-page.tsx')).ScreenShare);
const signIn = lazyPage(async () => (await import('../team/sign-in.tsx')).SignInPage);
const invitation = lazyPage(async () => (await import('../team/invitation.tsx')).InvitationPage);
const recordingBar = lazyPage(async () => (await import('../desktop/bar.tsx')).RecordingBar);

/**
 * Pages without the studio around them: of a team's server those before somebody is signed in; of the desktop app the recording
 * bar, and what shares the screen, which nobody sees.
 */
export const ALONE: Readonly<Record<string, ReactNode>> = {
  [paths.signIn]: <Lazy of={signIn} props={{}} />,
  [paths.invitation]: <Lazy of={invitation} props={{}} />,
  [paths.recordingBar]: <Lazy of={recordingBar} props={{}} meanwhile={null} />,
  [paths.screenShare]: <Lazy of={screenShare} props={{}} meanwhile={null} />,
};

/** Loads the code of the page that the browser opened, while the frame around it is still to be drawn. */
export function loadEarly(path: string): void {
  const found = PAGES.find((page) => fitsPage(page.path, path));
  // The page itself says what went wrong.
  found?.load().catch(() => {});
}

/** Patterns number their parts, too: no page is asked for these. */
const propsOf = (parts: Parts): Parts =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) =>
      /^\d/.test(name) ? [] : [[name, part === undefined ? part : decodedPart(part)]],
    ),
  );
