import { copyHome } from './home-copy.ts';

/** Copies the home of a stage again and again, until it is killed: a process of its own for that. */

const [id = '', root = ''] = process.argv.slice(2);
for (;;) {
  await copyHome({ id, task: null }, { root });
  process.stdout.write('copied\n');
}
