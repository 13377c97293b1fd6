import type { AccessRule } from './access-rule.ts';
import type { Capability } from './capability.ts';

/** The thing that a URI refers to, before the gate asks the recorder which camera a row of its database belongs to. */
export type Resource =
  | { readonly kind: 'public' }
  | { readonly kind: 'own-account' }
  | { readonly kind: 'neutral' }
  | { readonly kind: 'admin-only' }
  | { readonly kind: 'unresolved' }
  /** A picture of all cameras, or information about them. */
  | { readonly kind: 'every-camera' }
  /** The body names its cameras or review rows, and has not been read. */
  | { readonly kind: 'in-body'; readonly names: 'cameras' | 'reviews' }
  | {
      readonly kind: 'cameras';
      readonly cameras: readonly string[];
      /** Names that the body may add. */
      readonly names?: 'export';
    }
  | {
      readonly kind: 'recorded';
      readonly in: 'events';
      readonly ids: readonly string[];
      /** Named in addition to the ids. */
      readonly cameras: readonly string[];
      /** Whether an unknown id leaves the resource unresolved. */
      readonly allThere: boolean;
    }
  | { readonly kind: 'recorded'; readonly in: 'exports' | 'reviews'; readonly ids: readonly string[] };

/** A resource, and the access rule that it comes from. */
export interface ResolvedResource {
  readonly resource: Resource;
  readonly rule: AccessRule;
  /** Capabilities that it needs, whichever way a server reads the letter case of the path. */
  readonly needs: readonly Capability[];
}

/** Names in the body of a request, in addition to, or instead of, the cameras of a resource. */
export function namedInBody(resource: Resource) {
  return resource.kind === 'in-body' || resource.kind === 'cameras' ? resource.names : undefined;
}

/** The cameras of rows in the recorder's database. */
export interface RecordedCameras {
  /** @returns camera by id, for the events that exist */
  camerasOfEvents(ids: readonly string[]): ReadonlyMap<string, string>;
  /** @param name id of an export, or the file name of its video or thumbnail */
  camerasOfExport(name: string): readonly string[];
  camerasOfReview(id: string): readonly string[];
}

/**
 * Looks up the cameras that a resource refers to.
 * @param strict whether every id has to exist, regardless of the rule: the upstream could have one that we do not
 * @returns `unresolved` if there is no such row, or not each of several, so that deleted or misspelt ids grant nothing
 */
export function completeResource(resource: Resource, recorded: RecordedCameras, strict = false): Resource {
  if (resource.kind !== 'recorded') return resource;
  if (resource.in === 'events') {
    const found = recorded.camerasOfEvents(resource.ids);
    const isMissing = found.size < resource.ids.length || (strict && found.size === 0);
    if ((resource.allThere || strict) && isMissing) return { kind: 'unresolved' };
    if (found.size === 1 && resource.cameras.length === 0)
      return { kind: 'cameras', cameras: [...found.values()] };
    return { kind: 'cameras', cameras: [...new Set([...found.values(), ...resource.cameras])] };
  }
  const find = resource.in === 'exports' ? recorded.camerasOfExport : recorded.camerasOfReview;
  const cameras = resource.ids.map((id) => find(id));
  const isMissing = cameras.length === 0 || cameras.some(({ length }) => length === 0);
  return isMissing ? { kind: 'unresolved' } : { kind: 'cameras', cameras: [...new Set(cameras.flat())] };
}
