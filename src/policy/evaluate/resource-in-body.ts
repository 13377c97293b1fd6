import type { RequestContext } from '../request-context.ts';
import type { Grant } from '../grant.ts';
import { readBody, type NamesInBody } from '../recorder/named-in-body.ts';
import { completeResource, type RecordedCameras, type Resource } from '../resource.ts';
import type { ResolveResource } from '../rule-tree.ts';

interface Lookup {
  readonly resolveResource: ResolveResource;
  readonly recorded: RecordedCameras;
}

/**
 * The resource that the body of a request names.
 * @param body read completely
 * @returns undefined if servers may read it differently; `unresolved` if it names something that belongs to no camera
 */
export function resourceInBody(
  names: NamesInBody,
  body: Uint8Array,
  { headers }: Pick<RequestContext, 'headers'>,
  { resolveResource, recorded }: Lookup,
  grant: Grant,
): Resource | undefined {
  const named = readBody(names, body, headers);
  if (named === undefined) return undefined;
  const parts: readonly Resource[] = [
    { kind: 'cameras', cameras: named.cameras },
    ...(named.reviews.length === 0 ? [] : [{ kind: 'recorded', in: 'reviews', ids: named.reviews } as const]),
    // The picture that represents an export needs the same access as the picture itself.
    ...named.images.map((path) => resolveResource({ path, query: '' }, 'GET').resource),
  ];
  const cameras = new Set<string>();
  for (const part of parts) {
    // All cameras are granted.
    if (part.kind === 'recorded' && grant === 'all') continue;
    const complete = completeResource(part, recorded);
    if (complete.kind !== 'cameras') return { kind: 'unresolved' };
    for (const camera of complete.cameras) cameras.add(camera);
  }
  return { kind: 'cameras', cameras: [...cameras] };
}
