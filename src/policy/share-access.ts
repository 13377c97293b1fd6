import type { Decision } from './decision.ts';
import { evaluate } from './evaluate.ts';
import type { Rules } from './rules.ts';
import type { Identity } from './identity.ts';
import { completeResource } from './resource.ts';

/**
 * Decides whether whoever made a share may see a target of it at this moment: what would be decided if the maker asked, and nothing
 * but of the camera that was shared.
 * @param target of the recorder's, as `sharedTarget` writes it
 */
export function decideForMaker(
  target: string,
  method: string | undefined,
  camera: string,
  identity: Identity,
  rules: Rules,
): Decision {
  const decision = evaluate(
    // The gate itself passes it on. Of the request that opens the share nothing counts but its path.
    {
      entryPoint: 'authenticated',
      front: 'embedded',
      method,
      uri: target,
      headers: [],
      peer: '',
      host: undefined,
      secure: true,
    },
    { identity },
    rules,
  );
  if (decision.outcome !== 'allow') return decision;
  const resource =
    decision.resource === undefined ? undefined : completeResource(decision.resource, rules.recorded, true);
  // A name of a file or a camera may stand for something else too, to some rule.
  const isOfCamera = resource?.kind === 'cameras' && resource.cameras.every((name) => name === camera);
  if (isOfCamera && resource.cameras.length > 0 && decision.narrowed === undefined)
    return { ...decision, resource };
  const { path, rule } = decision;
  return { path, rule, resource, outcome: 'forbidden', reason: 'share_scope', identity };
}
