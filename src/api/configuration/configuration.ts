import { Hono } from 'hono';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';

const secondsOf = (milliseconds: number) => milliseconds / 1_000;

/** What the program says of itself. */
export interface ConfigurationDependencies {
  readonly about: {
    readonly version: string;
    /** When it was started, in milliseconds since the epoch. */
    readonly started: number;
    /** The current configuration, and how the last reload ended. */
    readonly reloads: () => ReloadReport;
    /** What the recorder has told of its cameras. */
    readonly recorder: ConfigurationReading['knowledge'];
  };
  readonly settings: Pick<Settings, 'cameraGaps'>;
}

/** `GET /postern/api/configuration`, for admins: the current configuration, and how the last reload ended. Times are seconds since the epoch. */
export function configurationRoutes({ about, settings }: ConfigurationDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { hash, since, successful, at, cause, problems, waiting, warnings } = about.reloads();
    return c.json({
      version: about.version,
      started_at: secondsOf(about.started),
      hash,
      in_force_since: secondsOf(since),
      warnings,
      last_reload: { successful, at: secondsOf(at), cause, problems, waiting },
      recorder: toldBy(about.recorder(), settings.cameraGaps()),
    });
  });
}

/** @returns null when there is no recorder to ask */
function toldBy(
  known: ReturnType<ConfigurationReading['knowledge']>,
  { unknownCameras, unlistedStreams }: ReturnType<Settings['cameraGaps']>,
) {
  if (known === undefined) return null;
  const { configuration, heardAt, fault = null, isForEverybody } = known;
  const cameras = [...(configuration?.cameras ?? [])].map(([name, streams]) => ({
    name,
    streams: [...streams],
  }));
  return {
    heard_at: heardAt === undefined ? null : secondsOf(heardAt),
    fault,
    everybody_is_admin: isForEverybody === true,
    cameras,
    unknown_cameras: unknownCameras,
    unlisted_streams: unlistedStreams,
  };
}

export type ConfigurationApi = ReturnType<typeof configurationRoutes>;
