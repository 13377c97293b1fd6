import type { Configuration } from '../config/configuration.ts';
import { pictureOfAll, type KnownCameras } from '../policy/cameras.ts';
import type { RecorderConfiguration } from '../recorder/configuration-answer.ts';

type Declared = Pick<Configuration, 'cameras' | 'streams'> & {
  readonly auth: Pick<Configuration['auth'], 'roles'>;
};

type Learnt = Pick<RecorderConfiguration, 'cameras'>;

/** As recorders name cameras. */
const cameraName = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * What is known of cameras. What config.yml declares wins: its list of cameras, the live streams that it gives to a camera, and
 * the cameras that it gives to a live stream. The rest is what the recorder says.
 * @param learnt undefined: the recorder has not said anything
 */
export function knownCameras(declared: Declared, learnt: Learnt | undefined): KnownCameras {
  const names = new Set(declared.cameras ?? camerasOfRecorder(learnt));
  for (const granted of declared.auth.roles.values()) for (const camera of granted) names.add(camera);
  const streams = new Map(declared.streams);
  const declaring = new Set([...declared.streams.values()].flat());
  for (const [camera, listed] of learnt?.cameras ?? []) {
    if (declaring.has(camera)) continue;
    for (const stream of listed)
      if (!declared.streams.has(stream)) streams.set(stream, [...(streams.get(stream) ?? []), camera]);
  }
  streams.delete(pictureOfAll);
  // A camera that the recorder has got since would look like the one whose name it begins with.
  return { names, complete: declared.cameras !== undefined, streams };
}

/** @returns cameras of the recorder, by names that can be in a path */
export function camerasOfRecorder(learnt: Learnt | undefined): readonly string[] {
  return [...(learnt?.cameras.keys() ?? [])].filter(
    (camera) => cameraName.test(camera) && camera !== pictureOfAll,
  );
}

/** @returns streams that the recorder has and that no camera lists: nobody who is limited to cameras sees them */
export function unlistedStreams(
  { restreams, cameras }: Pick<RecorderConfiguration, 'restreams' | 'cameras'>,
  { streams }: Pick<KnownCameras, 'streams'>,
): readonly string[] {
  return [...restreams].filter((stream) => !streams.has(stream) && !cameras.has(stream));
}
