import type { Configuration } from '../../config/configuration.ts';
import { fault, info, ok, skipped, type Finding, type Probe } from './probe.ts';

export const configProbe: Probe = {
  name: 'config',
  meaning:
    "With `--config`, a line for each problem of a `config.yml`, Postern's or a recorder's: roles with unknown cameras, `role_map` with undefined roles, headers that are not trusted, unknown keys. Cameras that no custom role sees, and warnings of the gate, are only `info`.",
  change: 'The key that the line names; [configuration.md](configuration.md) has them all.',
  run: async ({ options, context }) => {
    if (options.config === undefined) return [skipped('give --config path/of/config.yml')];
    if (context.problems.length > 0) {
      return context.problems.map(({ path, found, allowed }) =>
        fault(path, allowed, found, `${path}: ${allowed}`),
      );
    }
    const { configuration } = context;
    if (configuration === undefined) return [];
    return [
      ok(options.config, 'no problem', 'no problem'),
      ...configuration.warnings.map((warning) => info(options.config ?? '', warning)),
      ...unseenCameras(configuration),
    ];
  },
};

function unseenCameras({ cameras, auth, store }: Configuration): Finding[] {
  // A role that was made in the UI may.
  if (store.url !== undefined) return [];
  const seen = new Set<string>();
  for (const granted of auth.roles.values()) for (const camera of granted) seen.add(camera);
  return (cameras ?? [])
    .filter((camera) => !seen.has(camera))
    .map((camera) =>
      info(`cameras.${camera}`, 'only admin and viewer see it: no role of auth.roles names it'),
    );
}
