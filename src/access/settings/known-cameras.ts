import { camerasByRole, type CameraGroups } from '../../policy/role-access.ts';
import type { Configuration } from '../../config/configuration.ts';
import { cameraNameForm } from '../../policy/names.ts';
import { streamOfAllCameras, type KnownCameras } from '../../policy/cameras.ts';
import type { RecorderConfiguration } from '../../recorder/configuration-answer.ts';

export type Declared = Pick<Configuration, 'cameras' | 'streams'> & {
  readonly auth: Pick<Configuration['auth'], 'roles'>;
};

type Learnt = Pick<RecorderConfiguration, 'cameras'>;

/**
 * Combines what is known about cameras. The configuration takes precedence: its list of cameras, the live streams that it gives to
 * a camera, and the cameras that it gives to a live stream. The rest comes from the recorder.
 * @param learnt `undefined` while the recorder has not answered
 */
export function knownCameras(declared: Declared, learnt: Learnt | undefined): KnownCameras {
  const names = new Set(declared.cameras ?? camerasOfRecorder(learnt));
  for (const granted of camerasByRole(declared.auth.roles).values())
    for (const camera of granted) names.add(camera);
  const streams = new Map(declared.streams);
  const declaring = new Set([...declared.streams.values()].flat());
  for (const [camera, listed] of learnt?.cameras ?? []) {
    if (declaring.has(camera)) continue;
    for (const stream of listed)
      if (!declared.streams.has(stream)) streams.set(stream, [...(streams.get(stream) ?? []), camera]);
  }
  streams.delete(streamOfAllCameras);
  // A camera that was added to the recorder since could look like the one whose name it begins with.
  return { names, complete: declared.cameras !== undefined, streams };
}

/** @returns cameras of the recorder whose names can be part of a path */
export function camerasOfRecorder(learnt: Learnt | undefined): readonly string[] {
  return [...(learnt?.cameras.keys() ?? [])].filter(
    (camera) => cameraNameForm.test(camera) && camera !== streamOfAllCameras,
  );
}

/** @returns the cameras in the order of the recorder, and then those that it does not have */
export function inRecorderOrder(cameras: readonly string[], learnt: Learnt | undefined): readonly string[] {
  if (learnt === undefined) return cameras;
  const ranks = new Map([...learnt.cameras.keys()].map((camera, rank) => [camera, rank]));
  const rankOf = (camera: string) => ranks.get(camera) ?? ranks.size;
  return cameras.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** @returns the groups of the recorder, with those of their cameras that it has */
export function groupsOfRecorder(
  learnt: Pick<RecorderConfiguration, 'cameras' | 'groups'> | undefined,
): CameraGroups {
  const known = new Set(camerasOfRecorder(learnt));
  const groups = [...(learnt?.groups ?? [])].map(
    ([name, cameras]) => [name, [...cameras].filter((camera) => known.has(camera))] as const,
  );
  return new Map(groups.filter(([, cameras]) => cameras.length > 0));
}

/** Differences between the configuration and the recorder. */
export interface CameraGaps {
  /** Cameras in the configuration or a custom role that the recorder does not have. */
  readonly unknownCameras: readonly string[];
  /** Streams of the recorder that no camera lists: users who are limited to cameras cannot see them. */
  readonly unlistedStreams: readonly string[];
}

/** @param learnt `undefined` while the recorder has not answered: then there are no differences */
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
