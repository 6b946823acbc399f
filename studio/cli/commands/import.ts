import { resolve } from 'node:path';
import type { Command } from 'commander';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { openDocuments } from '../../annotate/documents.ts';
import { takeAnnotation } from '../../import/annotation-file.ts';
import { importRecording } from '../../import/import-recording.ts';
import { finishRecording, wantsKeyframes } from '../../recorder/finish.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `import`: a recording from another machine. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('import <path>')
    .description('take a recording folder or a .tar of one; every line of it is checked first')
    .action((path: string, { workspace: dir }: WorkspaceOption) => importOne(dir, path, context));
  workspaceOption(command);
  examples(command, [
    ['import ~/Downloads/take.tar --workspace W', 'an archive that `recordings export` wrote'],
    ['import /media/stick/20260504-102030-ab12 --workspace W', 'a recording folder'],
  ]);
}

/** Imports one and makes what is missing of its pictures. */
export async function importOne(dir: string, path: string, context: CliContext): Promise<void> {
  const workspace = openWorkspace(dir, { create: true });
  try {
    let said = '';
    const report = (progress: number, message: string): void => {
      const text = `${message} ${Math.floor(progress * 10) * 10} %`;
      if (text !== said) context.progress(text);
      said = text;
    };
    const { entry, warnings } = await untilStopped(async (signal) => {
      const imported = await importRecording(workspace, resolve(path), { signal, report });
      const documents = openDocuments(workspace);
      const odd = await takeAnnotation(documents, imported.entry.id, imported.entry.folder);
      await documents.close();
      if (odd !== null) imported.warnings.push(odd);
      if (!wantsKeyframes(imported.entry.folder)) return imported;
      const ffmpeg = await findFfmpeg();
      const made = await finishRecording(workspace, imported.entry.folder, {
        ffmpeg,
        playback: true,
        signal,
        progress: context.progress,
      });
      return { ...imported, warnings: [...imported.warnings, ...made.warnings] };
    });
    for (const warning of warnings) context.progress(`warning: ${warning}`);
    context.result(
      { recording: entry.id, task: entry.task, warnings },
      `Imported ${entry.id} (${entry.task}: ${entry.goal}).`,
    );
  } finally {
    workspace.close();
  }
}
