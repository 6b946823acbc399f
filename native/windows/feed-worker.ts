import { workerData } from 'node:worker_threads';
import { type FeedSetup, runFeed } from '../screen/feed.ts';
import { windowsFeedPipe } from './encoder-pipe.ts';

runFeed(
  workerData as FeedSetup, // the recorder hands in exactly this
  windowsFeedPipe,
);
