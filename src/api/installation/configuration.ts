import * as v from 'valibot';
import type { ReloadReport } from '../../config/reload-report.ts';
import { unreadReasons, type UnreadReason } from '../../recorder/configuration-answer.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';

const secondsOf = (milliseconds: number) => milliseconds / 1_000;

const problem = v.strictObject({ path: v.string(), found: v.string(), allowed: v.string() });

/** State that the program reports. */
export interface ConfigurationDependencies {
  readonly about: {
    readonly version: string;
    /** Start of the program, in milliseconds since the epoch. */
    readonly started: number;
    /** The current configuration, and the result of the last reload. */
    readonly reloads: () => ReloadReport;
    /** Cameras that the recorder has listed. */
    readonly recorder: ConfigurationReading['knowledge'];
  };
  readonly settings: Pick<Settings, 'cameraGaps'>;
}

/** Times are seconds since the epoch. */
export const readConfiguration = endpoint({
  method: 'get',
  path: '/postern/api/configuration',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Get the current configuration, and the result of the last reload',
  answers: {
    200: {
      meaning: 'The configuration without secrets.',
      body: v.strictObject({
        version: v.string(),
        started_at: v.number(),
        hash: v.pipe(v.string(), v.description('Hash of the current configuration.')),
        in_force_since: v.number(),
        warnings: v.pipe(
          v.array(v.string()),
          v.description('Warnings about the configuration; the log has them too.'),
        ),
        last_reload: v.strictObject({
          successful: v.boolean(),
          at: v.number(),
          cause: v.string(),
          problems: v.array(problem),
          waiting: v.pipe(v.array(v.string()), v.description('Keys whose change needs a restart.')),
        }),
        recorder: v.pipe(
          v.nullable(
            v.strictObject({
              heard_at: v.nullable(v.number()),
              fault: v.pipe(
                v.nullable(v.picklist(Object.keys(unreadReasons) as UnreadReason[])),
                v.description('Why the last request to the recorder failed; earlier values stay.'),
              ),
              everybody_is_admin: v.pipe(
                v.boolean(),
                v.description('The recorder treats everyone as an admin on the port of `upstream`.'),
              ),
              cameras: v.array(v.strictObject({ name: v.string(), streams: v.array(v.string()) })),
              unknown_cameras: v.pipe(
                v.array(v.string()),
                v.description('Cameras in the configuration that the recorder does not have.'),
              ),
              unlisted_streams: v.pipe(
                v.array(v.string()),
                v.description('Streams of the recorder that no camera lists: closed to custom roles.'),
              ),
            }),
          ),
          v.description('Cameras of the recorder; null without a recorder at `upstream`.'),
        ),
      }),
    },
  },
  handle:
    ({ about, settings }: ConfigurationDependencies) =>
    () => {
      const { hash, since, successful, at, cause, problems, waiting, warnings } = about.reloads();
      return {
        version: about.version,
        started_at: secondsOf(about.started),
        hash,
        in_force_since: secondsOf(since),
        warnings,
        last_reload: { successful, at: secondsOf(at), cause, problems, waiting },
        recorder: toldBy(about.recorder(), settings.cameraGaps()),
      };
    },
});

/** @returns null when there is no recorder */
function toldBy(
  known: ReturnType<ConfigurationReading['knowledge']>,
  { unknownCameras, unlistedStreams }: ReturnType<Settings['cameraGaps']>,
) {
  if (known === undefined) return null;
  const { configuration, heardAt, fault = null, isEveryoneAdmin } = known;
  const cameras = [...(configuration?.cameras ?? [])].map(([name, streams]) => ({
    name,
    streams: [...streams],
  }));
  return {
    heard_at: heardAt === undefined ? null : secondsOf(heardAt),
    fault,
    everybody_is_admin: isEveryoneAdmin === true,
    cameras,
    unknown_cameras: unknownCameras,
    unlisted_streams: unlistedStreams,
  };
}
