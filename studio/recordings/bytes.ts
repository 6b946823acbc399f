import type { Blobs } from '../files/blobs/blobs.ts';
import { folderBlobs } from '../files/blobs/folder.ts';

/** The files of a recording that is no longer being made, by their names in its folder (`keyframes/600000.png`). */
export const bytesOfRecording = (folder: string): Blobs => folderBlobs(folder);
