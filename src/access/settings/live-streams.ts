import { camerasOfStream } from '../../policy/cameras.ts';
import type { RecorderConfiguration } from '../../recorder/configuration-answer.ts';
import { knownCameras, type Declared } from './known-cameras.ts';

/** A camera, and the live streams that show it, in the order of the recorder's list. */
export interface LiveCamera {
  readonly camera: string;
  readonly streams: readonly string[];
}

/**
 * The live streams that can be offered. This grants nothing: the gate decides again for each stream when it is requested.
 * @param learnt `undefined` while the recorder has not answered: a camera without a stream may have one of its own name
 * @param mayBeSeen whether a camera may be seen: a stream needs access to every camera in it
 */
export function liveStreams(
  cameras: readonly string[],
  declared: Declared,
  learnt: Pick<RecorderConfiguration, 'cameras' | 'restreams'> | undefined,
  mayBeSeen: (camera: string) => boolean,
): readonly LiveCamera[] {
  const known = knownCameras(declared, learnt);
  const byCamera = new Map<string, string[]>();
  for (const [stream, shown] of known.streams)
    for (const camera of shown) byCamera.set(camera, [...(byCamera.get(camera) ?? []), stream]);
  const isThere = (stream: string) => learnt === undefined || learnt.restreams.has(stream);
  return cameras.map((camera) => ({
    camera,
    streams: (byCamera.get(camera) ?? [camera]).filter(
      (stream) => isThere(stream) && camerasOfStream(stream, known).every(mayBeSeen),
    ),
  }));
}
