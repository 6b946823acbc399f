import { UPLOAD_PROTOCOL } from '../../../schemas/api/uploads.ts';
import { ARCHIVE_VERSION } from '../../../schemas/archive.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { SignedIn } from '../members/principal.ts';
import type { AskedStudio } from '../studio.ts';
import { api } from './base.ts';
import { uploadsOf } from './take-uploads.ts';

/** What a program that sends recordings asks of a team's server, beside the bytes (studio/api/team/tus.ts). */

function memberOf({ principal }: AskedStudio): SignedIn {
  if (principal.kind === 'member') return principal;
  throw new StudioError('USAGE', "Recordings are sent to a team's server; this is a studio of one machine.", {});
}

export const uploadRoutes = {
  uploads: {
    welcome: api.uploads.welcome.handler(({ context }) => {
      const { id, name, email, rights, by } = memberOf(context);
      const { uploads } = uploadsOf(context);
      const [workspace] = context.workspaces.recent();
      if (!workspace) throw new StudioError('UNKNOWN_WORKSPACE', 'This server has no workspace.', {});
      return {
        ws: workspace.id,
        workspace: workspace.name,
        version: context.version,
        protocol: UPLOAD_PROTOCOL,
        archives: ARCHIVE_VERSION,
        person: { id, name, email },
        tokenEndsAt: by.kind === 'token' ? by.endsAt : null,
        whole: rights.has('manage'),
        mostBytes: uploads.limits.mostBytes,
        now: new Date().toISOString(),
      };
    }),
    find: api.uploads.find.handler(async ({ context, input: { ws, manifest } }) => {
      await context.workspaces.get(ws);
      const { uploads, receipt } = uploadsOf(context);
      const note = uploads.withManifest(memberOf(context).id, manifest);
      if (!note) return null;
      return receipt(note).catch((error: unknown) => {
        if (error instanceof StudioError && error.code === 'UNKNOWN_FILE') return null;
        throw error;
      });
    }),
    receipt: api.uploads.receipt.handler(async ({ context, input: { ws, upload } }) => {
      await context.workspaces.get(ws);
      const { uploads, receipt } = uploadsOf(context);
      return receipt(uploads.get(memberOf(context).id, upload));
    }),
  },
};
