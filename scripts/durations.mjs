import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A reporter of vitest: how long each file took (loading, hooks and tests, ms) and each project from its first file's begin to
 * its last one's end. Written as JSON into the file that STUDIO_TEST_DURATIONS names. vitest's own JSON leaves the hooks out,
 * in which the end-to-end tests spend much of their time.
 */
export default class Durations {
  #started = new Map();
  #files = [];
  #projects = new Map();

  onTestModuleStart(module) {
    this.#started.set(module, performance.now());
  }

  onTestModuleEnd(module) {
    const end = performance.now();
    const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const ms = prepareDuration + collectDuration + setupDuration + duration;
    const begin = Math.min(this.#started.get(module) ?? end, end - ms);
    const project = module.project.name;
    this.#files.push({ file: relative(process.cwd(), module.moduleId).replaceAll('\\', '/'), project, ms });
    const known = this.#projects.get(project);
    this.#projects.set(project, { begin: Math.min(known?.begin ?? begin, begin), end });
  }

  onTestRunEnd(_modules, unhandled = []) {
    const file = process.env.STUDIO_TEST_DURATIONS;
    if (!file) return;
    const projects = [...this.#projects].map(([name, { begin, end }]) => ({ name, ms: end - begin }));
    const errors = unhandled.map(errorText);
    writeFileSync(file, JSON.stringify({ files: this.#files, projects, errors }));
  }
}

/** The cause comes before the stack: there vitest says how a worker ended. */
function errorText({ message, stack, cause }) {
  const caused = cause ? `Caused by: ${cause.message ?? cause}` : '';
  return [message ?? '', caused, stack ?? ''].filter((text) => text !== '').join('\n');
}
