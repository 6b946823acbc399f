/**
 * The npm package's own package.json: of the project's dependencies those that the studio process reaches, at the versions
 * that are tested. `packages`: what package-files.mjs found, by place.
 */
export function packageManifest(project, packages, bin) {
  const { name, version, description, license, type, engines, dependencies, optionalDependencies } = project;
  const { peerDependencies, peerDependenciesMeta } = project;
  const reached = new Set([...packages.values()].map((one) => one.name));
  // `node` is not imported: the command starts it where the user's own Node is too old.
  const used = (list) => Object.entries(list).filter(([one]) => reached.has(one) || one === 'node');
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { [name]: bin },
    dependencies: Object.fromEntries(used(dependencies)),
    // Each is asked for only where it can be used, and may be missing.
    optionalDependencies,
    // Never installed by themselves: what they are for says so where it is asked for.
    peerDependencies,
    peerDependenciesMeta,
  };
}
