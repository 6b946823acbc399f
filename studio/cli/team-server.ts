import { log } from '../../native/log/log.ts';
import { BUILT_PAGES, ensurePages } from '../api/build-pages.ts';
import { isLoopback } from '../api/listen.ts';
import { showMembers } from '../api/members/members.ts';
import { type OidcWishes, openOidc, tryOidc } from '../api/members/oidc.ts';
import { originOf } from '../api/members/url.ts';
import { createStudio } from '../api/studio.ts';
import { listenTeam } from '../api/team/listen-team.ts';
import type { UploadLimits } from '../api/uploads/uploads.ts';
import { filesPlace } from '../files/kept/place.ts';
import { userHome } from '../session/home.ts';
import type { RetentionRules } from '../session/retention.ts';
import { retainByItself } from '../session/retention-clock.ts';
import type { CliContext } from './context.ts';
import { untilTold } from './stop.ts';

type TeamWishes = {
  url: string;
  workspace: string;
  host: string | undefined;
  port: number | undefined;
  proxies: readonly string[];
  oidc: OidcWishes | null;
  /** Bounds on what people send, where they are not the usual ones. */
  uploads: Partial<UploadLimits>;
  /** Which recordings go by themselves. */
  retention: RetentionRules;
  /** Build the pages when they are older than their sources. */
  build: boolean;
};

/**
 * Runs a server that people sign in to, until Ctrl+C or SIGTERM. There is no token of the machine: commands work on the
 * workspace by themselves, and what they change holds at the next request.
 */
export async function runTeamServer(wishes: TeamWishes, context: CliContext): Promise<void> {
  const url = originOf(wishes.url);
  const home = userHome();
  const oidc = wishes.oidc && (await openOidc(wishes.oidc, url.origin));
  if (oidc) await tryOidc(oidc, context.progress);
  const pages = wishes.build ? await ensurePages(context.progress) : BUILT_PAGES;
  // A place that cannot be used is said before anybody works here.
  const files = await filesPlace();
  const studio = createStudio({ version: context.version, home });
  try {
    const { id, dir } = await studio.workspaces.open(wishes.workspace, { create: true });
    const open = await studio.workspaces.get(id);
    const { host, port, proxies, uploads: uploadLimits, retention } = wishes;
    const listening = await listenTeam({ studio, open, url, pages, host, port, proxies, oidc, uploadLimits });
    const retaining = retainByItself(open, retention);
    const told = untilTold();
    try {
      if (host !== undefined && !isLoopback(host)) {
        context.progress(
          `warning: ${host} is reached by other machines without encryption. Let the firewall pass the proxy alone.`,
        );
      }
      const members = await showMembers(open.workspace.store);
      const at = `http://${listening.host}:${listening.port}`;
      const first =
        members.length > 0
          ? ''
          : `\nNobody can sign in yet. In another terminal: npm run studio -- invite you@example.org --role owner --workspace ${wishes.workspace}`;
      context.result(
        {
          url: listening.url,
          listens: at,
          port: listening.port,
          workspace: { id, dir },
          members: members.length,
          files: files?.blobs.place ?? null,
          pid: process.pid,
        },
        `Trajectory Studio for a team: ${listening.url}\nIt listens on ${at}; a proxy with the certificate hands requests on to it (docs/team.md).${first}\nCtrl+C ends it.`,
      );
      log.info('team server began', { workspace: id });
      await told;
      log.info('team server ends', { workspace: id });
      context.progress('closing …');
    } finally {
      retaining.close();
      await listening.close();
    }
  } finally {
    await studio.close();
  }
}
