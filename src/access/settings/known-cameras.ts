import type { Configuration } from '../../config/configuration.ts';
import { streamOfAllCameras, type KnownCameras } from '../../policy/cameras.ts';
import type { RecorderConfiguration } from '../../recorder/configuration-answer.ts';

export type Declared = Pick<Configuration, 'cameras' | 'streams'> & {
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
  streams.delete(streamOfAllCameras);
  // A camera that the recorder has got since would look like the one whose name it begins with.
  return { names, complete: declared.cameras !== undefined, streams };
}

/** @returns cameras of the recorder, by names that can be in a path */
export function camerasOfRecorder(learnt: Learnt | undefined): readonly string[] {
  return [...(learnt?.cameras.keys() ?? [])].filter(
    (camera) => cameraName.test(camera) && camera !== streamOfAllCameras,
  );
}

/** Where the configuration and the recorder do not fit together. */
export interface CameraGaps {
  /** Cameras that config.yml or a custom role names, and the recorder does not have. */
  readonly unknownCameras: readonly string[];
  /** Streams that the recorder has and no camera lists: nobody who is limited to cameras sees them. */
  readonly unlistedStreams: readonly string[];
}

/** @param learnt undefined: nothing is known of the recorder, nor what does not fit */
export function cameraGaps(
  declared: Declared,
  learnt: Pick<RecorderConfiguration, 'restreams' | 'cameras'> | undefined,
): CameraGaps {
  if (learnt === undefined) return { unknownCameras: [], unlistedStreams: [] };
  const { names, streams } = knownCameras(declared, learnt);
  return {
    unknownCameras: [...names].filter((camera) => !learnt.cameras.has(camera)),
    unlistedStreams: [...learnt.restreams].filter((stream) => !streams.has(stream) && !names.has(stream)),
  };
}
