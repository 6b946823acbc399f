import { needNewNode } from './own-node.mjs';

// Before what an older Node could not even load.
needNewNode();
await import('./checks.mjs');
