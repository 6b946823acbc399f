import type { UploadReceipt } from '../../../schemas/api/uploads.ts';
import type { UploadNote } from './note.ts';
import type { Uploads } from './uploads.ts';

/** The uploads of a team's server, with what becomes of those that came whole. */
export type TeamUploads = {
  uploads: Uploads;
  /** How far one is; one that came whole is taken in, if nobody does that yet. */
  receipt(note: UploadNote): Promise<UploadReceipt>;
  /** Takes in what came whole before this process began. */
  goOn(): Promise<void>;
  close(): void;
};
