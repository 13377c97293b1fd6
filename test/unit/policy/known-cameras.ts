import type { KnownCameras } from '../../../src/policy/cameras.ts';
import type { RecordedCameras } from '../../../src/policy/resource.ts';
import type { ListFilter } from '../../../src/recorder/list-filter.ts';

/** A configuration that mentions these cameras, and no others. */
export function known(names: Iterable<string>, other: Partial<KnownCameras> = {}): KnownCameras {
  return { names: new Set(names), complete: true, streams: new Map(), ...other };
}

/** A recorder whose database is empty. */
export const nothingRecorded: RecordedCameras = {
  camerasOfEvents: () => new Map(),
  camerasOfExport: () => [],
  camerasOfReview: () => [],
};

/** The upstream limits its lists to the cameras of every role. */
export const filtered: ListFilter = {
  listsAreFiltered: () => true,
  roleAtRecorder: () => ({ state: 'verified' }),
};
